/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can a server be started so? Asked before anything is done. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/server/server_parts.h"
#include "kern/host.h"

static int check_socket(const char *path)
{
	const size_t most = sizeof(((struct sockaddr_un *)0)->sun_path) - 1;

	if (strlen(path) <= most)
		return 0;
	return refuse(-ENAMETOOLONG,
		      "%s: the path of a socket has at most %zu bytes, this "
		      "has %zu; use a shorter folder (TMPDIR)",
		      path, most, strlen(path));
}

static int check_memory(const struct server_spec *spec)
{
	uint64_t free_bytes = host_available_bytes(spec->root);
	auto_free char *pool = NULL;
	auto_free char *have = NULL;

	if (!free_bytes || spec->pool_bytes <= free_bytes)
		return 0;
	pool = num_size_text(spec->pool_bytes);
	have = num_size_text(free_bytes / NUM_MIB * NUM_MIB);
	return refuse(-ENOMEM,
		      "a buffer pool of %s does not fit: %s of memory are "
		      "available; make buffer_pool or the tables smaller",
		      pool, have);
}

int server_fits(const struct server_spec *spec, const char *socket)
{
	int ret = check_socket(socket);

	return ret ? ret : check_memory(spec);
}
