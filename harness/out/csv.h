/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of CSV. */
#ifndef OUT_CSV_H
#define OUT_CSV_H

#include "base/str.h"

/* Add a text as a field, quoted where RFC 4180 wants it. */
void csv_field(struct str *out, const char *text);

#endif
