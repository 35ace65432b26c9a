/* SPDX-License-Identifier: Apache-2.0 */
/* child.h - runs checks in a child process with other environment variables, because the library
   reads them once. The parent must not have called heddle. */
#ifndef HEDDLE_TESTS_CHILD_H
#define HEDDLE_TESTS_CHILD_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

/* variables: "NAME=value" strings, NULL at the end; kept by the child. Returns the exit status of
   body's checks: 0 all hold, 1 some do not, 77 no device, 128 + n killed by signal n. */
TEST_UNUSED static int child_run(char *const *variables, void (*body)(void))
{
    int status = 0, before = test_now.failures;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child < 0)
        return 126;
    if (child == 0) {
        for (; *variables != NULL; variables++)
            putenv(*variables);
        body();
        fflush(stdout);
        _exit(test_now.failures > before);
    }
    if (waitpid(child, &status, 0) < 0)
        return 126;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif
