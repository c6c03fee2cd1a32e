/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as JSON; its form is told in compare.h. */
#ifndef OUT_COMPARE_JSON_H
#define OUT_COMPARE_JSON_H

#include "out/compare.h"

void compare_json(const struct compare_page *page, struct str *out);

#endif
