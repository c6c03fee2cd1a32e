/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels in the cache: what is asked for, what counts, which is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/tree.h"
#include "bench/packages/cache_slot.h"
#include "bench/guest/kernel_fetch.h"
#include "bench/server/servers.h"

struct spec_row {
	const char *text;
	int ret;
	const char *suite;
	const char *pattern;
	const char *file;
};

static const char *or_none(const char *text)
{
	return text ? text : "none";
}

static void check_spec(void **state)
{
	const struct spec_row *row = *state;
	struct kernel_spec spec;

	assert_int_equal(kernel_spec_parse(row->text, &spec), row->ret);
	if (!row->ret) {
		const char *file = spec.deb ? spec.deb : spec.image;

		assert_string_equal(or_none(spec.suite), or_none(row->suite));
		assert_string_equal(or_none(spec.pattern),
				    or_none(row->pattern));
		assert_string_equal(or_none(file), or_none(row->file));
	}
	kernel_spec_free(&spec);
}

struct match_row {
	const char *release;
	const char *pattern;
	bool matches;
};

static void check_match(void **state)
{
	const struct match_row *row = *state;

	assert_int_equal(kernel_release_matches(row->release, row->pattern),
			 row->matches);
}

static char cache[32];

static int open_cache(void **state)
{
	(void)state;
	snprintf(cache, sizeof(cache), "/tmp/test_kernels.XXXXXX");
	return !mkdtemp(cache) || setenv("THPBENCH_CACHE", cache, 1);
}

static int close_cache(void **state)
{
	(void)state;
	return tree_remove(cache);
}

static void put(const char *path, const char *text)
{
	auto_free char *full = xasprintf("%s/%s", cache, path);
	char *slash = strrchr(full, '/');

	*slash = '\0';
	assert_int_equal(file_mkdirs(full), 0);
	*slash = '/';
	assert_int_equal(file_publish(full, text), 0);
}

static void test_which_count(void **state)
{
	struct kernel_list all;

	(void)state;
	assert_int_equal(kernels_read(&all), 0);
	assert_int_equal(all.n, 0);
	put("kernels/7.10.1/vmlinuz", "x");
	put("kernels/7.10.1/info.tsv", "release\t7.10.1\narch\tamd64\n");
	put("kernels/7.9.1/vmlinuz", "x");
	put("kernels/by-hand/vmlinuz", "x");
	put("kernels/no-image/info.tsv", "release\t9\n");
	put("kernels/.making-1/vmlinuz", "x");
	put("kernels/lock", "");
	assert_int_equal(kernels_read(&all), 0);
	assert_int_equal(all.n, 3);
	assert_string_equal(all.list[0].name, "7.9.1");
	assert_string_equal(all.list[1].name, "7.10.1");
	assert_string_equal(all.list[2].name, "by-hand");
	assert_null(all.list[1].modules);
	kernel_list_free(&all);
}

static void test_which_is_taken(void **state)
{
	struct kernel k;

	(void)state;
	put("kernels/7.1/vmlinuz", "x");
	put("kernels/7.1/info.tsv", "release\t7.1\narch\tamd64\n");
	put("kernels/7.2/vmlinuz", "x");
	put("kernels/7.2/modules/kernel/a.ko", "x");
	put("kernels/7.2/info.tsv", "release\t7.2\narch\tarm64\n");
	assert_int_equal(kernel_find(NULL, "amd64", &k), 0);
	assert_string_equal(k.name, "7.1");
	kernel_free(&k);
	assert_int_equal(kernel_find(NULL, "arm64", &k), 0);
	assert_string_equal(k.name, "7.2");
	assert_non_null(k.modules);
	kernel_free(&k);
	/* By its name whatever it is for. */
	assert_int_equal(kernel_find("7.2", "amd64", &k), 0);
	kernel_free(&k);
	assert_int_equal(kernel_find("7.3", "amd64", &k), -ENOENT);
	assert_int_equal(kernel_find(NULL, "riscv64", &k), -ENOENT);
}

static void test_slot_is_published_whole(void **state)
{
	auto_free char *folder = xasprintf("%s/kernels", cache);
	auto_free char *name = xasprintf("%s/one", folder);
	struct facts info = { 0 };
	struct facts read;
	struct cache_slot slot;

	(void)state;
	put("kernels/.making-1/left", "by somebody who was killed");
	put("kernels/one/old", "x");
	facts_set(&info, "release", "7.1\twith a tab");
	assert_int_equal(cache_slot_begin(folder, NULL, &slot), 0);
	assert_int_equal(cache_slot_publish(&slot, &info, "one"), 0);
	cache_slot_end(&slot);
	assert_int_equal(cache_info_read(name, &read), 0);
	assert_string_equal(facts_get(&read, "release"), "7.1\twith a tab");
	assert_int_equal(strlen(facts_get(&read, "fetched")), 20);
	facts_free(&read);
	facts_free(&info);
	free(name);
	name = xasprintf("%s/one/old", folder);
	assert_int_equal(access(name, F_OK), -1);
	free(name);
	name = xasprintf("%s/.making-1", folder);
	assert_int_equal(access(name, F_OK), -1);
}

static void test_slot_leaves_nothing(void **state)
{
	auto_free char *folder = xasprintf("%s/kernels", cache);
	auto_free char *dir = NULL;
	struct cache_slot slot;

	(void)state;
	assert_int_equal(cache_slot_begin(folder, NULL, &slot), 0);
	dir = xstrdup(slot.dir);
	assert_int_equal(access(dir, F_OK), 0);
	assert_int_equal(cache_slot_room(&slot, 1, "a kernel"), 0);
	assert_int_equal(cache_slot_room(&slot, UINT64_MAX, "a kernel"),
			 -ENOSPC);
	cache_slot_end(&slot);
	assert_int_equal(access(dir, F_OK), -1);
}

static void test_servers(void **state)
{
	struct fetched_servers all;

	(void)state;
	assert_int_equal(servers_read(&all), 0);
	assert_int_equal(all.n, 0);
	put("servers/sid/info.tsv", "version\t12.1\n");
	put("servers/.making-3/info.tsv", "version\t10.5\n");
	put("servers/cut/usr/x", "");
	assert_int_equal(servers_read(&all), 0);
	assert_int_equal(all.n, 1);
	assert_string_equal(all.list[0].suite, "sid");
	assert_string_equal(facts_get(&all.list[0].info, "version"), "12.1");
	servers_free(&all);
	assert_null(servers_suite("system"));
	assert_null(servers_suite("/debian:sid"));
	assert_string_equal(servers_suite("debian:sid"), "sid");
}

#define SPEC(...)                                                              \
	{                                                                      \
		"spec", check_spec, NULL, NULL, &(struct spec_row)             \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define MATCH(...)                                                             \
	{                                                                      \
		"match", check_match, NULL, NULL, &(struct match_row)          \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define CACHED(f) cmocka_unit_test_setup_teardown(f, open_cache, close_cache)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SPEC("", 0, kernel_default_suite, NULL, NULL),
		SPEC("sid", 0, "sid", NULL, NULL),
		SPEC("trixie-backports/7.2", 0, "trixie-backports", "7.2",
		     NULL),
		SPEC("sid/linux-image-amd64", 0, "sid", "linux-image-amd64",
		     NULL),
		SPEC("linux-image-amd64", 0, kernel_default_suite,
		     "linux-image-amd64", NULL),
		SPEC("Makefile", 0, NULL, NULL, "Makefile"),
		SPEC("./Makefile", 0, NULL, NULL, "./Makefile"),
		SPEC("tests", 0, "tests", NULL, NULL),
		SPEC("/no/such/image", -EINVAL, NULL, NULL, NULL),
		SPEC("./none", -EINVAL, NULL, NULL, NULL),
		SPEC("none.deb", -EINVAL, NULL, NULL, NULL),
		SPEC("sid/", -EINVAL, NULL, NULL, NULL),
		SPEC("sid/a/b", -EINVAL, NULL, NULL, NULL),
		SPEC("-x", -EINVAL, NULL, NULL, NULL),
		MATCH("7.2.12+deb13-cloud-amd64", "7.2", true),
		MATCH("7.2.12+deb13-cloud-amd64", "7.2.12", true),
		MATCH("7.2.12+deb13-cloud-amd64", "7.2.1", false),
		MATCH("7.20.1-cloud-amd64", "7.2", false),
		MATCH("7.20.1-cloud-amd64", "7", true),
		MATCH("17.2.1-cloud-amd64", "7", false),
		MATCH("7.2.12+deb13-cloud-amd64", "7.2.*-amd64", true),
		MATCH("7.2.12+deb13-cloud-amd64", "7.2.?-*", false),
		MATCH("7.2.12", "7.2.12+deb13", false),
		CACHED(test_which_count),
		CACHED(test_which_is_taken),
		CACHED(test_slot_is_published_whole),
		CACHED(test_slot_leaves_nothing),
		CACHED(test_servers),
	};

	return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
