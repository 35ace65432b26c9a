/* SPDX-License-Identifier: Apache-2.0 */
/* power.c - launches in batches, two of which are in the stream at any time, so that the device
   does not wait for the host; meanwhile the host reads the sensors. */
#include "power.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include <heddle/heddle.h>

#include "cli/app/progress.h"
#include "runtime/sensors.h"

enum { BATCHES = 2 };
/* Seconds: of a batch; before the counter is read, so that clocks have settled; and before power is
   sampled. A counter that has not changed so long after the end is not waited for. */
static const double batch_seconds = 10e-3, warm_seconds = 0.25, average_seconds = 1.0,
                    patience_seconds = 0.5;

/* ---- the sensors ----------------------------------------------------------------------------- */

typedef struct meter {
    char bus_id[64];
    double begin, seconds; /* the clock's at the first reading; how long to measure */
    double last;           /* joules of the last reading */
    double from, joules;   /* where the counter changed first after warm-up; 0: it has not */
    double sum;            /* of power samples */
    size_t samples;
    bool done;
    power result;
} meter;

static hdb_sensors read_sensors(const char *bus_id)
{
    hdb_sensors sensors;

    memset(&sensors, 0, sizeof sensors);
    hdb_sensors_read(bus_id, &sensors);
    return sensors;
}

static void finish(meter *m, double watts, power_source source)
{
    m->done = true;
    m->result.watts = watts;
    m->result.source = watts > 0 ? source : POWER_UNKNOWN;
}

static void read_counter(meter *m, double now, double joules)
{
    const bool changed = m->last > 0 && joules > m->last;

    m->last = joules;
    if (!changed || now - m->begin < warm_seconds)
        return;
    if (m->from <= 0) {
        m->from = now;
        m->joules = joules;
    } else if (now - m->from >= m->seconds) {
        finish(m, (joules - m->joules) / (now - m->from), POWER_COUNTER);
    }
}

static void meter_read(meter *m)
{
    const hdb_sensors sensors = read_sensors(m->bus_id);
    const double now = cli_now(), passed = now - m->begin;

    read_counter(m, now, sensors.energy_joules);
    if (sensors.power_watts > 0 && passed >= average_seconds) {
        m->sum += sensors.power_watts;
        m->samples++;
    }
    if (m->done)
        return;
    if (sensors.energy_joules <= 0 && sensors.power_watts <= 0)
        finish(m, 0, POWER_UNKNOWN);
    else if (passed >= fmax(warm_seconds, average_seconds) + m->seconds + patience_seconds)
        finish(m, m->samples ? m->sum / (double)m->samples : 0, POWER_SAMPLES);
}

double power_limit(const lab *l)
{
    char bus_id[64];

    if (hd_device_bus_id(l->job.device, bus_id, sizeof bus_id) < 0) {
        hd_error_clear();
        return 0;
    }
    return read_sensors(bus_id).power_limit_watts;
}

/* ---- the work -------------------------------------------------------------------------------- */

typedef struct work {
    const lab_launch *launch;
    hd_stream *stream;
    hd_event *done[BATCHES];
    size_t batch, launches;
    unsigned turn;
} work;

/* Adds a batch to the stream and waits for the one before. */
static hd_status add_batch(work *w)
{
    for (size_t i = 0; i < w->batch; i++)
        HD_TRY(w->launch->run(w->launch->state, w->stream));
    w->launches += w->batch;
    HD_TRY(hd_event_record(w->done[w->turn], w->stream));
    w->turn = (w->turn + 1) % BATCHES;
    return w->launches > w->batch ? hd_event_synchronize(w->done[w->turn]) : HD_OK;
}

static hd_status stay_idle(void)
{
    const struct timespec moment = {.tv_nsec = 5000000};

    (void)nanosleep(&moment, NULL);
    return HD_OK;
}

static hd_status watch(work *w, meter *m)
{
    hd_status status = hd_stream_synchronize(w->stream);

    m->begin = cli_now();
    while (!m->done && status >= 0) {
        status = w->launch ? add_batch(w) : stay_idle();
        meter_read(m);
    }
    if (status >= 0)
        status = hd_stream_synchronize(w->stream);
    m->result.seconds = (cli_now() - m->begin) / (double)(w->launch ? w->launches : 1);
    return status;
}

hd_status power_measure(lab *l, const lab_launch *launch, double seconds, power *out)
{
    work w = {.launch = launch, .stream = l->job.stream, .batch = 1};
    meter m = {.seconds = seconds};
    hd_status status = HD_OK;
    double once = 0;

    memset(out, 0, sizeof *out);
    if (!l->gpu)
        return HD_OK;
    HD_TRY(hd_device_bus_id(l->job.device, m.bus_id, sizeof m.bus_id));
    if (launch)
        HD_TRY(lab_time(l, launch, LAB_WARM, &once));
    if (once > 0 && once < batch_seconds)
        w.batch = (size_t)(batch_seconds / once);
    for (size_t i = 0; i < BATCHES && status >= 0; i++)
        status = hd_event_create(l->job.device, 0, &w.done[i]);
    if (status >= 0)
        status = watch(&w, &m);
    for (size_t i = 0; i < BATCHES; i++)
        hd_event_destroy(w.done[i]);
    if (status >= 0)
        *out = m.result;
    return status;
}
