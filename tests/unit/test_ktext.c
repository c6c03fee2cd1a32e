/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words and tables of an unpacked kernel, made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "kern/kconfig.h"
#include "kern/ktext.h"

enum { SIZE = 4096, WORDS = 1024, TABLE = 2048, RELOCATIONS = 3072 };

static const uint64_t base = UINT64_C(0xffffffff81000000);

struct made {
	unsigned char data[SIZE];
	size_t n_words; /* bytes used from WORDS on */
	struct ktext text;
};

static void put_u64(struct made *m, size_t at, uint64_t value)
{
	memcpy(m->data + at, &value, sizeof(value));
}

/* A text of its own; its offset. */
static size_t put_word(struct made *m, const char *word)
{
	size_t at = WORDS + m->n_words;

	memcpy(m->data + at, word, strlen(word) + 1);
	m->n_words += strlen(word) + 1;
	return at;
}

static struct made *make(void)
{
	struct made *m = xcalloc(1, sizeof(*m));

	m->n_words = 1; /* a NUL before the first */
	return m;
}

static char *table(struct made *m, const char *first, const char *second)
{
	struct str said = { 0 };
	const char **words;
	size_t n;

	ktext_init(m->data, SIZE, &m->text);
	words = ktext_table(&m->text, first, second, &n);
	str_add(&said, "");
	for (size_t i = 0; i < n; i++)
		str_addf(&said, "%s ", words[i]);
	free(words);
	return str_steal(&said);
}

static const char *const actions[] = { "willneed", "cold", "nohugepage",
				       "stat" };

/* An array of pointers, as kernels had them until 6.13. */
static void test_table_of_pointers(void **state)
{
	auto_free struct made *m = make();
	auto_free char *said = NULL;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		put_u64(m, TABLE + 8 * i, base + put_word(m, actions[i]));
	said = table(m, "willneed", "cold");
	assert_string_equal(said, "willneed cold nohugepage stat ");
}

/* The next table of pointers, without a gap. */
static void test_table_ends_at_the_next(void **state)
{
	auto_free struct made *m = make();
	auto_free char *said = NULL;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		put_u64(m, TABLE + 8 * i, base + put_word(m, actions[i]));
	put_u64(m, TABLE + 32, base + put_word(m, "none"));
	put_u64(m, TABLE + 40, base + put_word(m, "free_mem_rate"));
	said = table(m, "willneed", "cold");
	assert_string_equal(said, "willneed cold nohugepage stat ");
}

/* The linker lets a word be the end of another. */
static void test_word_that_ends_another(void **state)
{
	auto_free struct made *m = make();
	auto_free char *said = NULL;
	size_t longer;

	(void)state;
	put_u64(m, TABLE, base + put_word(m, "willneed"));
	put_u64(m, TABLE + 8, base + put_word(m, "cold"));
	longer = put_word(m, "nohugepage");
	put_u64(m, TABLE + 16, base + longer);
	put_u64(m, TABLE + 24, base + longer + 2);
	said = table(m, "willneed", "cold");
	assert_string_equal(said, "willneed cold nohugepage hugepage ");
	assert_false(ktext_has_word(&m->text, "hugepage"));
	assert_true(ktext_has_word(&m->text, "nohugepage"));
}

/* Pairs of a number and a pointer; two tables, one behind the other. */
static void test_tables_of_pairs(void **state)
{
	static const char *const goals[] = { "user_input", "some_mem_psi_us" };
	auto_free struct made *m = make();
	auto_free char *said = NULL;
	auto_free char *said_goals = NULL;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		put_u64(m, TABLE + 16 * i, i);
		put_u64(m, TABLE + 16 * i + 8, base + put_word(m, actions[i]));
	}
	for (size_t i = 0; i < 2; i++) {
		put_u64(m, TABLE + 64 + 16 * i, i);
		put_u64(m, TABLE + 72 + 16 * i, base + put_word(m, goals[i]));
	}
	said = table(m, "willneed", "cold");
	said_goals = table(m, "user_input", "some_mem_psi_us");
	assert_string_equal(said, "willneed cold nohugepage stat ");
	assert_string_equal(said_goals, "user_input some_mem_psi_us ");
}

/* An arm64 kernel: the pointers stand in its relocations, in any order. */
static void test_relocated_table(void **state)
{
	auto_free struct made *m = make();
	auto_free char *said = NULL;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		size_t at = RELOCATIONS + 24 * (3 - i);

		put_u64(m, at, base + TABLE + 8 * i);
		put_u64(m, at + 8, 1027);
		put_u64(m, at + 16, base + put_word(m, actions[i]));
	}
	said = table(m, "willneed", "cold");
	assert_string_equal(said, "willneed cold nohugepage stat ");
}

/* Two relocations of one address: no word is made of the wrong one. */
static void test_relocations_contradict(void **state)
{
	auto_free struct made *m = make();
	auto_free char *said = NULL;

	(void)state;
	put_u64(m, RELOCATIONS, base + TABLE);
	put_u64(m, RELOCATIONS + 8, 1027);
	put_u64(m, RELOCATIONS + 16, 257);
	for (size_t i = 0; i < 2; i++) {
		size_t at = RELOCATIONS + 24 * (i + 1);

		put_u64(m, at, base + TABLE + 8 * i);
		put_u64(m, at + 8, 1027);
		put_u64(m, at + 16, base + put_word(m, actions[i]));
	}
	said = table(m, "willneed", "cold");
	assert_string_equal(said, "");
}

static void test_no_table(void **state)
{
	auto_free struct made *m = make();
	auto_free char *none = table(m, "willneed", "cold");
	auto_free char *one = NULL;
	auto_free char *crooked = NULL;

	(void)state;
	assert_string_equal(none, "");
	put_u64(m, TABLE, base + put_word(m, "willneed"));
	one = table(m, "willneed", "cold");
	assert_string_equal(one, "");
	/* A base that no kernel has. */
	put_u64(m, TABLE, base + 64 + WORDS + 1);
	put_u64(m, TABLE + 8, base + 64 + put_word(m, "cold"));
	crooked = table(m, "willneed", "cold");
	assert_string_equal(crooked, "");
}

/* The words of the description of its types are no texts of its own. */
static void test_types(void **state)
{
	static const unsigned char header[] = {
		0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0,  0, 0, 0,
		4,    0,    0, 0, 4,  0, 0, 0, 32, 0, 0, 0,
	};
	auto_free struct made *m = make();

	(void)state;
	ktext_init(m->data, SIZE, &m->text);
	assert_int_equal(ktext_has_type(&m->text, "pm_scan_arg"), -ENODATA);
	memcpy(m->data + 256, header, sizeof(header));
	memcpy(m->data + 256 + 29, "pm_scan_arg\0refresh_ms", 23);
	put_word(m, "fail_charge_num");
	ktext_init(m->data, SIZE, &m->text);
	assert_int_equal(m->text.n_btf, 24 + 4 + 32);
	assert_int_equal(ktext_has_type(&m->text, "pm_scan_arg"), 1);
	assert_int_equal(ktext_has_type(&m->text, "scan_arg"), 0);
	assert_false(ktext_has_word(&m->text, "refresh_ms"));
	assert_true(ktext_has_word(&m->text, "fail_charge_num"));
	assert_true(ktext_has(&m->text, "charge"));
}

static void test_release(void **state)
{
	auto_free struct made *m = make();
	auto_free char *none = NULL;
	auto_free char *found = NULL;

	(void)state;
	put_word(m, "Linux version %s (%s)");
	ktext_init(m->data, SIZE, &m->text);
	none = ktext_release(&m->text);
	assert_null(none);
	put_word(m, "Linux version 7.3.4+deb13-cloud-amd64 (who) #1");
	found = ktext_release(&m->text);
	assert_string_equal(found, "7.3.4+deb13-cloud-amd64");
}

static void test_config_in_it(void **state)
{
	auto_free struct made *m = make();
	size_t offset;
	size_t length;

	(void)state;
	ktext_init(m->data, SIZE, &m->text);
	assert_false(ktext_config(&m->text, &offset, &length));
	put_word(m, "IKCFG_ST\x1f\x8bpacked");
	assert_false(ktext_config(&m->text, &offset, &length));
	put_word(m, "IKCFG_ED");
	assert_true(ktext_config(&m->text, &offset, &length));
	assert_int_equal(offset, WORDS + 1 + 8);
	assert_int_equal(length, 9);
}

struct option_row {
	const char *text;
	char value;
};

static void check_option(void **state)
{
	const struct option_row *row = *state;

	assert_int_equal(kconfig_get(row->text, "DAMON"), row->value);
}

#define OPTION(name, ...)                                                      \
	{                                                                      \
		name, check_option, NULL, NULL, &(struct option_row)           \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_of_pointers),
		cmocka_unit_test(test_table_ends_at_the_next),
		cmocka_unit_test(test_word_that_ends_another),
		cmocka_unit_test(test_tables_of_pairs),
		cmocka_unit_test(test_relocated_table),
		cmocka_unit_test(test_relocations_contradict),
		cmocka_unit_test(test_no_table),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_config_in_it),
		OPTION("nothing", "", 'n'),
		OPTION("built in", "CONFIG_A=y\nCONFIG_DAMON=y\n", 'y'),
		OPTION("a module", "CONFIG_DAMON=m", 'm'),
		OPTION("off", "# CONFIG_DAMON is not set\n", 'n'),
		OPTION("written as off", "CONFIG_DAMON=n\n", 'n'),
		OPTION("a longer name", "CONFIG_DAMON_VADDR=y\n", 'n'),
		OPTION("a text", "CONFIG_DAMON=\"x\"\n", 'y'),
		OPTION("inside a line", "x CONFIG_DAMON=y\n", 'n'),
	};

	return cmocka_run_group_tests_name("ktext", tests, NULL, NULL);
}
