/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench guest fetch: kernels into the cache. */
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/packages/apt.h"
#include "bench/guest/kernel_fetch.h"
#include "cmd/guest.h"

static void tell(const char *what)
{
	fprintf(stderr, "thpbench: %s\n", what);
}

static int fetch_one(const char *text, const char *arch, const char *modules)
{
	struct kernel_spec spec;
	const struct kernel_fetch fetch = {
		.spec = &spec, .arch = arch, .modules = modules, .tell = tell
	};
	struct kernel kernel;
	bool was_there;
	int ret = kernel_spec_parse(text, &spec);

	if (ret)
		return ret;
	ret = kernel_fetch(&fetch, &kernel, &was_there);
	kernel_spec_free(&spec);
	if (ret)
		return ret;
	printf("%s\t%s\n", kernel.name, kernel.image);
	fprintf(stderr, "thpbench: %s %s\n", kernel.name,
		was_there ? "was there already" : "fetched");
	kernel_free(&kernel);
	return 0;
}

int guest_fetch(const struct guest_choice *c, int argc, char **argv)
{
	auto_free char *arch = xstrdup(c->arch);
	int ret = arch ? 0 : apt_own_arch(&arch);

	if (!ret && !argc)
		ret = fetch_one("", arch, c->modules);
	for (int i = 0; i < argc && !ret; i++)
		ret = fetch_one(argv[i], arch, c->modules);
	return err_status(ret);
}
