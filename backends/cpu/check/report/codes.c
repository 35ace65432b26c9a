/* SPDX-License-Identifier: Apache-2.0 */
/* codes.c - texts of the codes of findings. */
#include "check/report/report.h"

const hd_check_rule hd_check_rules[HD_CHECK_CODE_COUNT] = {
#define RULE_(name, code, severity, title, advice) {code, title, advice, HD_CHECK_##severity},
    HD_CHECK_CODES(RULE_)
#undef RULE_
};

const char *const hd_check_severities[] = {"error", "portability", "performance"};
