/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prctl() of libthpkeep.so: one call is not done, all others are. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/mem.h"
#include "base/paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int (*shim)(int option, ...);

static int load(void **state)
{
	auto_free char *path = paths_find("libthpkeep.so");
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;

	(void)state;
	if (library)
		*(void **)&shim = dlsym(library, "prctl");
	return shim ? 0 : -1;
}

static int is_disabled(void)
{
	return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
}

static void check_kept(void **state)
{
	int before = is_disabled();

	(void)state;
	assert_int_equal(prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
	assert_int_equal(shim(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
	assert_int_equal(is_disabled(), 0);
	/* The real one does switch it off: the kernel is not the reason. */
	assert_int_equal(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
	assert_int_equal(is_disabled(), 1);
	assert_int_equal(shim(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
	assert_int_equal(is_disabled(), 0);
	prctl(PR_SET_THP_DISABLE, before, 0, 0, 0);
}

static void check_passed_on(void **state)
{
	char name[16] = "";
	int sig = 0;

	(void)state;
	assert_int_equal(shim(PR_SET_NAME, "kept-name"), 0);
	assert_int_equal(shim(PR_GET_NAME, name), 0);
	assert_string_equal(name, "kept-name");
	assert_int_equal(shim(PR_SET_PDEATHSIG, SIGUSR1), 0);
	assert_int_equal(shim(PR_GET_PDEATHSIG, &sig), 0);
	assert_int_equal(sig, SIGUSR1);
	assert_int_equal(shim(PR_SET_PDEATHSIG, 0), 0);
	assert_int_equal(shim(PR_GET_DUMPABLE),
			 prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
	errno = 0;
	assert_int_equal(shim(-1, 0, 0, 0, 0), -1);
	assert_int_equal(errno, EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_kept),
		cmocka_unit_test(check_passed_on),
	};

	return cmocka_run_group_tests(tests, load, NULL);
}
