/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* Files that are written as a whole or not at all: symbolic links, permissions, signals during
   writing, and obstacles. */
#include "../test.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/replace.h"

static char folder[] = "/tmp/heddle-replace-XXXXXX";

/* Every test works in its own folder, which is empty again at its end. */
static int begin(void)
{
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    (void)umask(022);
    return mkdtemp(folder) != NULL && chdir(folder) == 0;
}

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0 || chmod(path, mode) != 0)
        abort();
}

static const char *get(const char *path)
{
    static char text[256];
    FILE *file = fopen(path, "rb");
    size_t got = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    text[got] = '\0';
    if (file != NULL)
        (void)fclose(file);
    return file != NULL ? text : "(none)";
}

static unsigned mode_of(const char *path)
{
    struct stat found;

    return lstat(path, &found) == 0 ? found.st_mode & 07777u : 0;
}

static int is_link(const char *path)
{
    struct stat found;

    return lstat(path, &found) == 0 && S_ISLNK(found.st_mode);
}

/* Counts the files in the folder; removes them, and the folder too if that is the test's last
   action. */
static int count_files(int removing)
{
    DIR *all = opendir(folder);
    int count = 0;

    for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            count++;
            if (removing && unlink(entry->d_name) != 0)
                (void)rmdir(entry->d_name);
        }
    if (all != NULL)
        (void)closedir(all);
    if (removing)
        (void)rmdir(folder);
    return count;
}

static int write_new(FILE *stream, void *state)
{
    return fputs(state != NULL ? state : "new", stream) < 0 ? -1 : 0;
}

static int write_none(FILE *stream, void *state)
{
    (void)state;
    (void)fputs("half", stream);
    errno = ENOSPC;
    return -1;
}

TEST(a_new_file_has_the_mode_of_any_new_file)
{
    REQUIRE(begin());
    (void)umask(027);
    CHECK_STATUS(hd__replace_file("new", write_new, NULL), 0);
    CHECK_EQ_U64(mode_of("new"), 0640);
    CHECK_EQ_STR(get("new"), "new");
    CHECK_EQ_I64(count_files(1), 1);
}

TEST(an_old_file_keeps_its_mode)
{
    static const mode_t modes[] = {0600, 0640, 0644, 0666, 0200, 0755};

    REQUIRE(begin());
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        put("old", "old", modes[i]);
        CHECK_STATUS(hd__replace_file("old", write_new, NULL), 0);
        CHECK_EQ_U64(mode_of("old"), modes[i]);
        (void)chmod("old", 0600);
        CHECK_EQ_STR(get("old"), "new");
    }
    CHECK_EQ_I64(count_files(1), 1);
}

TEST(an_old_file_keeps_its_owner)
{
    struct stat found;

    REQUIRE(begin());
    put("old", "old", 0660);
    if (chown("old", 4321, 1234) != 0) {
        (void)count_files(1);
        test_skip("only root may give files away");
        return;
    }
    CHECK_STATUS(hd__replace_file("old", write_new, NULL), 0);
    REQUIRE(stat("old", &found) == 0);
    CHECK_EQ_U64(found.st_uid, 4321);
    CHECK_EQ_U64(found.st_gid, 1234);
    CHECK_EQ_U64(found.st_mode & 07777u, 0660);
    (void)count_files(1);
}

/* Also for root, who could write it. */
TEST(a_read_only_file_is_refused)
{
    REQUIRE(begin());
    put("old", "old", 0444);
    CHECK(hd__replace_probe("old") == -1 && errno == EACCES);
    CHECK(hd__replace_file("old", write_new, NULL) == -1 && errno == EACCES);
    CHECK_EQ_STR(get("old"), "old");
    CHECK(symlink("old", "link") == 0);
    CHECK(hd__replace_file("link", write_new, NULL) == -1 && errno == EACCES);
    CHECK_EQ_STR(get("old"), "old");
    CHECK_EQ_I64(count_files(1), 2);
}

static void check_link(const char *link, const char *to)
{
    CHECK_STATUS(hd__replace_probe(link), 0);
    CHECK_STATUS(hd__replace_file(link, write_new, NULL), 0);
    CHECK(is_link(link));
    CHECK(!is_link(to));
    CHECK_EQ_STR(get(to), "new");
}

TEST(links_are_followed)
{
    char absolute[sizeof folder + 8];

    REQUIRE(begin() && mkdir("sub", 0700) == 0);
    put("old", "old", 0600);
    (void)snprintf(absolute, sizeof absolute, "%s/old", folder);
    REQUIRE(symlink("old", "relative") == 0 && symlink(absolute, "absolute") == 0 &&
            symlink("../old", "sub/up") == 0 && symlink("sub/up", "chain") == 0);
    check_link("relative", "old");
    CHECK_EQ_U64(mode_of("old"), 0600);
    put("old", "old", 0640);
    check_link("absolute", "old");
    put("old", "old", 0640);
    check_link("sub/up", "old");
    put("old", "old", 0640);
    check_link("chain", "old");
    CHECK(is_link("sub/up"));
    CHECK_EQ_U64(mode_of("old"), 0640);
    (void)unlink("sub/up");
    CHECK_EQ_I64(count_files(1), 5);
}

TEST(a_link_to_nothing_makes_the_file)
{
    REQUIRE(begin());
    REQUIRE(symlink("made", "link") == 0 && symlink("no/file", "lost") == 0 &&
            symlink("b", "a") == 0 && symlink("a", "b") == 0 && symlink(".", "here") == 0);
    check_link("link", "made");
    CHECK_EQ_U64(mode_of("made"), 0644);
    CHECK(hd__replace_file("lost", write_new, NULL) == -1 && errno == ENOENT);
    CHECK(hd__replace_file("a", write_new, NULL) == -1 && errno == ELOOP);
    CHECK(hd__replace_file("here", write_new, NULL) == -1 && errno == EISDIR);
    CHECK_EQ_I64(count_files(1), 6);
}

/* /dev/stdout means the open file, whatever its path is by now. */
TEST(an_open_file_is_written_in_place)
{
    char path[32];
    FILE *file;

    REQUIRE(begin());
    put("old", "older", 0644);
    file = fopen("old", "r+b");
    REQUIRE(file != NULL && unlink("old") == 0);
    (void)snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    CHECK_STATUS(hd__replace_probe(path), 0);
    CHECK_STATUS(hd__replace_file(path, write_new, NULL), 0);
    CHECK_EQ_I64(fgetc(file), 'n');
    (void)fclose(file);
    CHECK_EQ_I64(count_files(1), 0);
}

TEST(a_failure_leaves_the_old_file)
{
    REQUIRE(begin());
    put("old", "old", 0644);
    CHECK(hd__replace_file("old", write_none, NULL) == -1 && errno == ENOSPC);
    CHECK_EQ_STR(get("old"), "old");
    CHECK(hd__replace_file("new", write_none, NULL) == -1 && errno == ENOSPC);
    CHECK(hd__replace_file("none/new", write_new, NULL) == -1 && errno == ENOENT);
    CHECK(hd__replace_probe("none/new") == -1 && errno == ENOENT);
    CHECK_EQ_I64(count_files(1), 1);
}

/* A predictable temporary name must not let anyone redirect the output. */
TEST(what_stands_under_the_name_is_not_followed)
{
    char name[64];

    REQUIRE(begin());
    put("victim", "precious", 0644);
    (void)snprintf(name, sizeof name, "out.%ld.part", (long)getpid());
    REQUIRE(symlink("victim", name) == 0);
    CHECK_STATUS(hd__replace_probe("out"), 0);
    CHECK_STATUS(hd__replace_file("out", write_new, NULL), 0);
    CHECK_EQ_STR(get("victim"), "precious");
    CHECK(is_link(name));
    CHECK(!is_link("out"));
    CHECK_EQ_STR(get("out"), "new");
    CHECK_EQ_I64(count_files(1), 3);
}

/* ---- signals --------------------------------------------------------------------------------- */

static int signal_sent;

static void *send(void *state)
{
    (void)state;
    (void)kill(getpid(), signal_sent);
    return NULL;
}

/* The signal comes from another thread, as from outside: any thread may receive it. */
static int write_and_die(FILE *stream, void *state)
{
    pthread_t thread;

    (void)state;
    (void)fputs("half", stream);
    (void)fflush(stream);
    if (pthread_create(&thread, NULL, send, NULL) == 0)
        (void)pthread_join(thread, NULL);
    (void)usleep(1000);
    return 0;
}

/* The signal that ends a child that receives `number` while it writes "old"; 0 if none does. */
static int meet(int number, void (*prepare)(int))
{
    int status = 0;
    pid_t child;

    (void)fflush(stdout);
    child = fork();
    if (child == 0) {
        signal_sent = number;
        if (prepare != NULL)
            prepare(number);
        _exit(hd__replace_file("old", write_and_die, NULL) == 0 ? 0 : 1);
    }
    if (waitpid(child, &status, 0) != child)
        return -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

TEST(a_signal_leaves_nothing_behind)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    REQUIRE(begin());
    put("old", "old", 0600);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        CHECK_EQ_I64(meet(numbers[i], NULL), numbers[i]);
        CHECK_EQ_STR(get("old"), "old");
        CHECK_EQ_I64(count_files(0), 1);
    }
    (void)count_files(1);
}

static void ignore(int number)
{
    (void)signal(number, SIG_IGN);
}

static void on_signal(int number)
{
    (void)number;
}

static void handle(int number)
{
    (void)signal(number, on_signal);
}

TEST(the_program_s_own_handlers_stay)
{
    REQUIRE(begin());
    put("old", "old", 0600);
    CHECK_EQ_I64(meet(SIGTERM, ignore), 0);
    CHECK_EQ_STR(get("old"), "half");
    put("old", "old", 0600);
    CHECK_EQ_I64(meet(SIGINT, handle), 0);
    CHECK_EQ_STR(get("old"), "half");
    (void)handle(SIGINT);
    CHECK_STATUS(hd__replace_file("old", write_new, NULL), 0);
    CHECK(signal(SIGINT, SIG_DFL) == on_signal);
    CHECK(signal(SIGTERM, SIG_DFL) == SIG_DFL);
    CHECK_EQ_I64(count_files(1), 1);
}

/* A child forked during the write must not remove the parent's temporary file. */
static int write_and_fork(FILE *stream, void *state)
{
    const pid_t child = fork();

    (void)state;
    if (child == 0) {
        (void)raise(SIGTERM);
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
    return fputs("whole", stream) < 0 ? -1 : 0;
}

TEST(a_child_that_dies_leaves_its_parent_s_file)
{
    REQUIRE(begin());
    CHECK_STATUS(hd__replace_file("new", write_and_fork, NULL), 0);
    CHECK_EQ_STR(get("new"), "whole");
    CHECK_EQ_I64(count_files(1), 1);
}

static void *write_many(void *state)
{
    for (int i = 0; i < 200; i++)
        if (hd__replace_file("shared", write_new, state) != 0)
            return state;
    return NULL;
}

TEST(two_threads_write_whole_files)
{
    static char texts[2][16] = {"first", "second"};
    pthread_t threads[2];
    void *failed = NULL;

    REQUIRE(begin());
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_create(&threads[i], NULL, write_many, texts[i]) == 0);
    for (int i = 0; i < 2; i++) {
        (void)pthread_join(threads[i], &failed);
        CHECK(failed == NULL);
    }
    CHECK(strcmp(get("shared"), "first") == 0 || strcmp(get("shared"), "second") == 0);
    CHECK_EQ_I64(count_files(1), 1);
}

static int write_half(FILE *stream, void *own)
{
    *(int *)own = uselocale((locale_t)0) != LC_GLOBAL_LOCALE;
    return fprintf(stream, "%.1f", 0.5) < 0 ? -1 : 0;
}

/* Where a locale with a decimal comma is installed, the file would have "0,5" without a locale of
   its own. */
TEST(numbers_have_a_decimal_point_in_every_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    int own = 0;

    REQUIRE(begin());
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]))
            break;
    CHECK_EQ_I64(hd__replace_file("numbers", write_half, &own), 0);
    CHECK_EQ_STR(get("numbers"), "0.5");
    CHECK_EQ_I64(own, 1);
    CHECK(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    (void)setlocale(LC_ALL, "C");
    CHECK_EQ_I64(count_files(1), 1);
}

TEST_MAIN
