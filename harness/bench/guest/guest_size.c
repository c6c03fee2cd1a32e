/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory a guest gets, and how much time. */
#include "base/num.h"
#include "bench/guest/guest_run.h"
#include "bench/run/plan.h"

/* Kernel, page tables, free memory to make huge pages of. */
static const uint64_t spare_bytes = 512 * NUM_MIB;
/* What a server takes beside its pool: 117 to 371 MB were seen. */
static const uint64_t beside_pool_bytes = 400 * NUM_MIB;

static uint64_t workload_bytes(const struct config *c, uint64_t data_bytes)
{
	struct prepared data = { .data_bytes = data_bytes };
	uint64_t pool = c->server.buffer_pool_bytes;

	switch (c->workload.program) {
	case WORKLOAD_MEMTOUCH:
		return c->workload.memtouch_bytes;
	case WORKLOAD_SYSBENCH:
		if (c->workload.dry_run)
			return 0;
		return beside_pool_bytes +
		       (pool ? pool : prepared_pool_bytes(&data));
	case WORKLOAD_NULL:
	case WORKLOAD_ATTACH:
	case WORKLOAD_POINTS:
		break;
	}
	return 0;
}

uint64_t guest_memory_bytes(const struct config *config, uint64_t archive_bytes,
			    uint64_t data_bytes)
{
	bool has_server = config->workload.program == WORKLOAD_SYSBENCH &&
			  !config->workload.dry_run;
	uint64_t least = has_server ? 3 * NUM_GIB : NUM_GIB;
	uint64_t step = 256 * NUM_MIB;
	uint64_t want = workload_bytes(config, data_bytes);

	if (config->guest.memory_bytes)
		return config->guest.memory_bytes;
	/* A quarter more: huge pages want free memory in one piece. */
	want += want / 4 + 2 * archive_bytes + spare_bytes;
	if (want < least)
		want = least;
	return (want + step - 1) / step * step;
}

uint64_t guest_limit_ns(const struct config *config, enum guest_accel accel,
			uint64_t data_bytes)
{
	/* Start, warming up and shutdown of a server; emulated, 60 s. */
	uint64_t beside = (accel == GUEST_KVM ? 180 : 900) * NUM_NS_PER_S;
	/* Each page is read in twice, by both indexes. */
	uint64_t bytes_per_s = (accel == GUEST_KVM ? 100 : 2) * NUM_MIB;

	if (config->guest.limit_ns)
		return config->guest.limit_ns;
	return plan_run_most_ns(config) + beside +
	       data_bytes / bytes_per_s * NUM_NS_PER_S;
}
