/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packages as files: download, look into, unpack. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/packages/apt_parts.h"

static const uint64_t download_limit_ns = 1200 * NUM_NS_PER_S;
static const uint64_t unpack_limit_ns = 300 * NUM_NS_PER_S;

static uint64_t number_of(const struct facts *package, const char *name)
{
	uint64_t number = 0;

	/* What a package does not say is not reserved. */
	num_u64(facts_get(package, name), &number);
	return number;
}

uint64_t deb_room_bytes(const struct facts *package)
{
	return number_of(package, "size") +
	       number_of(package, "installed-size") * NUM_KIB;
}

char *deb_list_text(const struct deb822 *packages)
{
	struct str names = { 0 };

	for (size_t i = 0; i < packages->n; i++)
		str_addf(&names, "%s%s=%s", i ? " " : "",
			 facts_get(&packages->list[i], "package"),
			 facts_get(&packages->list[i], "version"));
	return str_steal(&names);
}

static int say_why(const char *log, const char *what)
{
	auto_free char *text = NULL;
	auto_free char *why = NULL;

	if (file_read(log, &text, NULL))
		text = xstrdup("");
	why = apt_complaint(text);
	return refuse(-ENOTSUP, "%s: %s", what, why[0] ? why : str_trim(text));
}

/* The one .deb of a folder; NULL if there is none. */
static char *find_deb(const char *dir)
{
	auto_dir DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (str_ends(e->d_name, ".deb"))
			return xasprintf("%s/%s", dir, e->d_name);
	return NULL;
}

static int download(const struct apt *apt, const struct facts *package,
		    const char *dir)
{
	auto_free char *wanted =
		xasprintf("%s=%s", facts_get(package, "package"),
			  facts_get(package, "version"));
	auto_free char *what = xasprintf("download %s", wanted);
	auto_free char *log = xasprintf("%s/log", apt->dir);
	const char *argv[] = { "apt-get",  "-q",   "-c", apt->conf,
			       "download", wanted, NULL };
	const struct apt_call call = { .argv = argv,
				       .dir = dir,
				       .log = log,
				       .limit_ns = download_limit_ns };
	int ret = apt_call(&call, NULL);

	return ret > 0 ? say_why(log, what) : ret;
}

static int download_and_unpack(const struct apt *apt,
			       const struct facts *package, const char *dir,
			       const char *into)
{
	auto_free char *deb = NULL;
	int ret = download(apt, package, dir);

	if (ret)
		return ret;
	deb = find_deb(dir);
	if (!deb)
		return refuse(-EIO, "apt downloaded no %s",
			      facts_get(package, "package"));
	return deb_unpack(deb, into);
}

int apt_unpack(const struct apt *apt, const struct facts *package,
	       const char *into)
{
	/* There it goes with the rest if we are killed. */
	auto_free char *dir = xasprintf("%s/.debs", into);
	uint64_t bytes = number_of(package, "size");
	int ret;

	apt_tell(apt, "fetching %s %s, %.1f MiB", facts_get(package, "package"),
		 facts_get(package, "version"),
		 (double)bytes / (double)NUM_MIB);
	if (mkdir(dir, 0755))
		return fail(-errno, "make %s", dir);
	ret = download_and_unpack(apt, package, dir, into);
	tree_remove(dir);
	return ret;
}

/* dpkg-deb with these words; *out may be NULL. */
static int dpkg_deb(const char *option, const char *path, const char *into,
		    char **out)
{
	const char *argv[] = { "dpkg-deb", option, path, into, NULL };
	char log[] = "/tmp/thpbench-deb.XXXXXX";
	const struct apt_call call = { .argv = argv,
				       .log = log,
				       .limit_ns = unpack_limit_ns };
	int fd = mkstemp(log);
	int ret;

	if (fd < 0)
		return fail(-errno, "make %s", log);
	close(fd);
	ret = apt_call(&call, out);
	if (ret > 0) {
		auto_free char *what = xasprintf("dpkg-deb %s", path);

		ret = say_why(log, what);
	}
	unlink(log);
	return ret;
}

int deb_unpack(const char *path, const char *into)
{
	return dpkg_deb("-x", path, into, NULL);
}

int deb_fields(const char *path, struct facts *out)
{
	auto_free char *text = NULL;
	struct deb822 d;
	int ret = dpkg_deb("-f", path, NULL, &text);

	*out = (struct facts){ 0 };
	if (ret)
		return ret;
	ret = deb822_parse(text, &d);
	if (ret || !d.n)
		ret = fail(ret ? ret : -EPROTO, "%s: control fields", path);
	else
		facts_copy(out, &d.list[0]);
	deb822_free(&d);
	return ret;
}
