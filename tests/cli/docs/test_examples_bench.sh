#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once slow
# The examples in the help of `heddle bench`.
. "$(dirname "$0")/../check.sh"
. "$(dirname "$0")/examples.sh"
examples_of bench
echo "$skipped examples were skipped"
finish
