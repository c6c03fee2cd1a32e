/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of all runs as an archive in the page. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "out/html.h"

enum { MOST_BYTES = 16 * 1024 * 1024 }; /* of the archive: pages get mailed */

static const uint64_t limit_ns = 120 * NUM_NS_PER_S;

static int is_table(const struct dirent *entry)
{
	return str_ends(entry->d_name, ".tsv");
}

/*
 * The names of the tables in a run's folder, each with its NUL: as seen from
 * that of the experiment, or in full where a shard lies elsewhere. How many.
 */
static size_t add_names(const char *dir, const char *folder, struct str *out)
{
	auto_free char *path = xasprintf("%s/%s", dir, folder);
	auto_free char *real =
		access(path, F_OK) ? realpath(folder, NULL) : NULL;
	struct dirent **entries = NULL;
	int n = scandir(real ? real : path, &entries, is_table, alphasort);

	for (int i = 0; i < n; i++) {
		str_addf(out, "%s/%s", real ? real : folder,
			 entries[i]->d_name);
		str_addc(out, '\0');
		free(entries[i]);
	}
	free(entries);
	return n > 0 ? (size_t)n : 0;
}

static int run_tar(const struct experiment *e, const struct str *names, int fd)
{
	const char *const argv[] = {
		"tar",
		"--create",
		"--gzip",
		"--file=-",
		"--null",
		"--verbatim-files-from",
		"--no-recursion",
		"--files-from=-",
		"--owner=0",
		"--group=0",
		"--numeric-owner",
		NULL,
	};
	const char *const env[] = { "LC_ALL=C", NULL };
	auto_close int list = memfd_create("thpbench-names", MFD_CLOEXEC);
	auto_close int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const struct proc_spec spec = {
		.argv = argv,
		.env = env,
		.dir = e->dir,
		.in_fd = list,
		.out_fd = fd,
		.err_fd = quiet,
	};
	int wstatus;
	int ret;

	if (list < 0 || quiet < 0)
		return -errno;
	ret = file_write_fd(list, names->text, names->len);
	if (!ret && lseek(list, 0, SEEK_SET) < 0)
		ret = -errno;
	if (!ret)
		ret = proc_run(&spec, limit_ns, &wstatus);
	return ret ? ret : wstatus ? -EIO : 0;
}

/* RFC 4648. */
static void add_base64(struct str *out, const unsigned char *data, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		size_t left = n - i;
		unsigned int bits = (unsigned int)data[i] << 16 |
				    (left > 1 ? data[i + 1] : 0U) << 8 |
				    (left > 2 ? data[i + 2] : 0U);

		str_addc(out, digits[bits >> 18]);
		str_addc(out, digits[bits >> 12 & 63]);
		str_addc(out, left > 1 ? digits[bits >> 6 & 63] : '=');
		str_addc(out, left > 2 ? digits[bits & 63] : '=');
	}
}

static void add_link(int fd, size_t size, struct str *out)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (data == MAP_FAILED)
		return;
	str_addf(out,
		 "<p><a class=\"download\" download=\"%s\" href=\""
		 "data:application/gzip;base64,",
		 HTML_RAW);
	add_base64(out, data, size);
	str_addf(out, "\">%s</a></p>\n", HTML_RAW);
	munmap(data, size);
}

static void say(struct str *out, const char *text)
{
	str_add(out, "<ul><li>" HTML_RAW ": ");
	html_text(out, text);
	str_add(out, "</li></ul>\n");
}

void html_raw(const struct experiment *e, struct str *out)
{
	auto_str struct str names = { 0 };
	auto_free char *path = NULL;
	auto_free char *text = NULL;
	auto_close int fd = file_unnamed(&path);
	struct stat st = { 0 };
	size_t n = 0;
	int ret = fd < 0 ? fd : 0;

	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].dir && *e->runs[i].dir)
			n += add_names(e->dir, e->runs[i].dir, &names);
	if (!n) {
		say(out, "not made: no run has a folder with tables.");
		return;
	}
	if (!ret)
		ret = run_tar(e, &names, fd);
	if (!ret && fstat(fd, &st))
		ret = -errno;
	if (!ret && st.st_size <= MOST_BYTES)
		add_link(fd, (size_t)st.st_size, out);
	if (ret)
		text = xasprintf("not made: tar: %s.", strerror(-ret));
	else if (st.st_size > MOST_BYTES)
		text = xasprintf("left out: %.1f MiB, and at most %d are for a "
				 "page. The files lie in the result folder.",
				 (double)st.st_size / (double)NUM_MIB,
				 MOST_BYTES / (int)NUM_MIB);
	else
		text = xasprintf("what was recorded each second of each run, "
				 "its totals, settings and mappings: %zu files "
				 "of tab-separated values.",
				 n);
	say(out, text);
}
