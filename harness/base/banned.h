/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that this project does not make; included before every file. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Its macros name some of them: it must come first, wherever it is used. */
#if __has_include(<mysql.h>)
#include <mysql.h>
#endif

#pragma GCC poison strcpy strcat strncpy sprintf vsprintf gets strtok
#pragma GCC poison atoi atol atoll atof localtime gmtime ctime asctime

#endif
