/* SPDX-License-Identifier: GPL-3.0-or-later */
/* May two experiments be compared, and what differs between them? */
#ifndef DATA_ALIKE_H
#define DATA_ALIKE_H

#include "data/record.h"

/*
 * Why they must not be compared: they did not measure the same (workload,
 * size, window, buffer pool), or one was emulated. NULL if they may; free() it.
 */
char *alike_refusal(const struct experiment *a, const struct experiment *b);

/*
 * What else differs, "cpu": "AMD EPYC | ARM Neoverse", with what differs in
 * any two runs (uptime of memory, host's PIDs) left out: host, server,
 * workload, configuration. "-" for what one of
 * them does not say. Facts of the host come first.
 */
void alike_differences(const struct experiment *a, const struct experiment *b,
		       struct facts *out);

/*
 * "arms of one alone": "'T a' | -", the arms that have no partner; nothing
 * where each has but one arm, which are compared whatever they are called.
 */
void alike_arms(const struct experiment *a, const struct experiment *b,
		struct facts *out);

/* Were they on the same machine, as far as the records tell? */
bool alike_same_host(const struct experiment *a, const struct experiment *b);

#endif
