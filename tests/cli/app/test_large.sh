#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once slow
# More than 2^31 elements, and indices that 32 bits do not hold.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
if [ -z "$small" ]; then bytes=4300000000 half=2147483648; else bytes=140000000 half=67108864; fi
truncate -s $bytes large.bin || { echo "no room for a sparse file"; exit 77; }
printf '\003' | dd of=large.bin bs=1 seek=$((bytes - 1)) conv=notrunc 2>/dev/null
printf '\002' | dd of=large.bin bs=1 seek=$half conv=notrunc 2>/dev/null
equal "$bytes bytes" "$(results large.bin --type u8 --op count,sum,argmax --chunk 64M)" \
    "count,sum,argmax
$bytes,5,$((bytes - 1))"
finish
