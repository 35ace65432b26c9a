#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once slow
# The examples in the help of commands that use several devices or streams.
. "$(dirname "$0")/../check.sh"
. "$(dirname "$0")/examples.sh"
examples_of devices
echo "$skipped examples were skipped"
finish
