#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once slow
# More than 2^31 elements, and indices that 32 bits do not hold.
. "$(dirname "$0")/check.sh"
cd "$scratch" || exit 1
truncate -s 4300000000 large.bin || { echo "no room for a sparse file"; exit 77; }
printf '\003' | dd of=large.bin bs=1 seek=4299999999 conv=notrunc 2>/dev/null
printf '\002' | dd of=large.bin bs=1 seek=2147483648 conv=notrunc 2>/dev/null
equal "4.3e9 bytes" "$(results large.bin --type u8 --op count,sum,argmax --chunk 64M)" \
    "count,sum,argmax
4300000000,5,4299999999"
finish
