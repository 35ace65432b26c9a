#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that is compiled with -fsanitize=address and uses the library as it is: no leak of the
# library's is reported when it ends. labels: once
[ "$HEDDLE_BACKEND" = cpu ] || { echo "skip: about the CPU engine"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/heddle-asan.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/program.c" <<'END'
#include <heddle/heddle.h>
#include <heddle/reduce.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *memory)
{
    float *x = memory;
    hd_stream *stream;

    if (hd_stream_default(0, HD_DEFAULT_PER_THREAD, &stream) < 0 ||
        hd_reduce(x, 1000, HD_F32, HD_SUM, x + 1000, NULL, stream) < 0 ||
        hd_stream_synchronize(stream) < 0)
        puts("failed");
    return NULL;
}

int main(void)
{
    pthread_t thread;
    hd_stream *stream;
    float *x;

    if (hd_stream_create(0, &stream) < 0 || hd_alloc(&x, 1004, 0) < 0 ||
        hd_fill_zero(x, 1004, stream) < 0 || hd_stream_synchronize(stream) < 0)
        return 1;
    work(x);
    pthread_create(&thread, NULL, work, x);
    pthread_join(thread, NULL);
    hd_stream_destroy(stream);
    hd_free(x);
    puts("done");
    return 0;
}
END
echo 'int main(void) { return 0; }' >"$scratch/empty.c"
if ! "$CC" -fsanitize=address "$scratch/empty.c" -o "$scratch/empty" 2>/dev/null ||
    ! "$scratch/empty" 2>/dev/null; then
    echo "skip: $CC makes no programs with -fsanitize=address"
    exit 77
fi
# The library of a sanitizer's or of the checker's build goes with programs built like it.
"$CC" -g -fsanitize=address "$scratch/program.c" -I"$HEDDLE_SOURCE_DIR/include" \
    -I"$HEDDLE_SOURCE_DIR/backends/cpu/include" "$HEDDLE_BUILD_DIR/libheddle.a" -lpthread -lm -ldl \
    -o "$scratch/program" 2>"$scratch/err" || { echo "skip: $(tail -n 1 "$scratch/err")"; exit 77; }
for workers in 1 4; do
    out=$(ASAN_OPTIONS=detect_leaks=1 HEDDLE_CPU_THREADS=$workers "$scratch/program" 2>&1)
    status=$?
    case $out in
    *"does not work under ptrace"* | *"LeakSanitizer has encountered a fatal error"*)
        echo "skip: leaks cannot be looked for here"
        exit 77
        ;;
    esac
    if [ $status -ne 0 ] || [ "$out" != done ]; then
        echo "$workers workers: status $status"
        echo "$out" | head -n 20
        exit 1
    fi
done
echo "ok: no leaks"
