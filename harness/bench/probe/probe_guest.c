/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probes in a guest: the program runs itself there, and prints as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/guest/guest_boot.h"
#include "bench/probe/probe.h"

/* What its end takes, and its answers. */
static const uint64_t besides_ns = 60 * NUM_NS_PER_S;

static int boot(const char *image, const char *const *argv, uint64_t limit_ns,
		int fd)
{
	const struct guest_boot b = {
		.kernel = image,
		.argv = argv,
		.memory_bytes = 2 * NUM_GIB,
		.cpus = 2,
		.cmdline = "",
		.limit_ns = limit_ns,
		.out_fd = fd,
	};

	return guest_boot(&b);
}

/* Answers are answers, whatever the status says of them. */
static int take(const char *image, int fd, int status, struct answers *out)
{
	auto_free char *text = NULL;
	auto_free char *why = NULL;
	int ret = file_reread_fd(fd, &text, NULL);

	if (ret)
		return err_status(fail(ret, "read the guest's answers"));
	if (!text || !*text)
		return status ? status : STATUS_IO;
	if (!answers_parse(text, out, &why)) {
		facts_set(&out->host, "where", "guest");
		return STATUS_OK;
	}
	refuse(0, "%s: the guest's answers: %s", image, why);
	return status ? status : STATUS_IO;
}

int probe_guest(const char *image, const struct probe *const *list, size_t n,
		struct answers *out)
{
	auto_free char *path = NULL;
	auto_close int fd = file_unnamed(&path);
	auto_free const char **argv = xcalloc(n + 4, sizeof(*argv));
	uint64_t limit_ns = besides_ns;
	int status;
	size_t at = 0;

	*out = (struct answers){ 0 };
	if (fd < 0)
		return err_status(fail(fd, "make a file"));
	argv[at++] = "thpbench";
	argv[at++] = "probe";
	argv[at++] = "--json";
	for (size_t i = 0; i < n; i++) {
		argv[at++] = list[i]->name;
		limit_ns += list[i]->limit_s * NUM_NS_PER_S;
	}
	status = boot(image, argv, limit_ns, fd);
	return take(image, fd, status, out);
}
