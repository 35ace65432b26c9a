/* SPDX-License-Identifier: Apache-2.0 */
/* c11.c - the pass of `heddle port --c`. */
#include "c11.h"

void port_c11_survey(port_job *job, port_file *file)
{
    c11_survey_types(job, file);
    for (uint32_t i = 0; file->included && i + 1 < file->count; i++) {
        uint32_t name = i + 1;

        if (!port_is(file, i, "__global__") || file->tokens[i].directive)
            continue;
        while (name + 1 < file->count && !port_is(file, name + 1, "(") && !port_is(file, name, ";"))
            name++;
        if (port_is_name(file, name))
            port_names_add(job, &job->announced, &job->announced_count, &job->announced_room,
                           file->text + file->tokens[name].at, file->tokens[name].length);
    }
}

void port_pass_c11(port_job *job, port_file *file)
{
    if (!job->c11)
        return;
    c11_times(job, file);
    if (job->no_memory)
        return;
    c11_find_cxx(job, file);
    c11_kernels(job, file);
    c11_dims(job, file);
    c11_types(job, file);
    c11_words(job, file);
}
