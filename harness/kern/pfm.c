/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/pfm.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static int pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info(pmu, info);
}

/*
 * Without LIBPFM_ENCODE_INACTIVE libpfm4 encodes for the CPU that it runs on
 * alone. It is read when the library starts, once a process, and not left to
 * programs that we start.
 */
static int start(void)
{
	static const char name[] = "LIBPFM_ENCODE_INACTIVE";
	bool was_set = getenv(name) != NULL;
	pfm_pmu_info_t info;
	int ret;

	if (pmu_info(PFM_PMU_PERF_EVENT, &info) != PFM_ERR_NOINIT)
		return PFM_SUCCESS;
	setenv(name, "1", 1);
	ret = pfm_initialize();
	if (!was_set)
		unsetenv(name);
	return ret;
}

static int errno_of(int pfm)
{
	switch (pfm) {
	case PFM_SUCCESS:
		return 0;
	case PFM_ERR_NOTFOUND:
		return -ENOENT;
	case PFM_ERR_NOINIT:
		return -ENOSYS;
	case PFM_ERR_NOMEM:
		return -ENOMEM;
	case PFM_ERR_NOTSUPP:
		return -ENOTSUP;
	default:
		return -EINVAL;
	}
}

int pfm_encode(const char *name, enum pfm_level level, struct perf_code *out,
	       const char **why)
{
	int plm = level == PFM_USER ? PFM_PLM3 : PFM_PLM3 | PFM_PLM0;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	int ret = start();

	if (ret == PFM_SUCCESS)
		ret = pfm_get_os_event_encoding(name, plm,
						PFM_OS_PERF_EVENT_EXT, &arg);
	if (why)
		*why = ret == PFM_SUCCESS ? NULL : pfm_strerror(ret);
	if (ret != PFM_SUCCESS)
		return errno_of(ret);
	*out = (struct perf_code){
		.type = attr.type,
		.config = attr.config,
		.config1 = attr.config1,
		.config2 = attr.config2,
		.exclude_kernel = attr.exclude_kernel,
		.exclude_hv = attr.exclude_hv,
		.exclude_guest = attr.exclude_guest,
	};
	return 0;
}

/* The library may have more of them than the header that we are built with. */
bool pfm_has_pmu(const char *pmu)
{
	pfm_pmu_info_t info;
	int ret = start();

	for (unsigned int i = 0; ret != PFM_ERR_INVAL; i++) {
		if (ret == PFM_ERR_NOINIT)
			return false;
		ret = pmu_info((pfm_pmu_t)i, &info);
		if (ret == PFM_SUCCESS && str_eq(info.name, pmu))
			return true;
	}
	return false;
}
