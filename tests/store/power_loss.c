/* Notes every change to files below LOSS_FOLDER in LOSS_LOG, in order, so that a test can take back what no fsync has
   confirmed, as a power cut does. Loaded in front of the C library (LD_PRELOAD).

   A record: operation (1 byte), file (4), offset (8), length (4), then as many bytes. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define FILES 4096

static char watched[FILES];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int notes = -1;

static void note(char operation, int file, int64_t offset, const void *bytes, int32_t length) {
    char head[17];
    pthread_mutex_lock(&turn);
    if (notes < 0)
        notes = syscall(SYS_openat, AT_FDCWD, getenv("LOSS_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    head[0] = operation;
    memcpy(head + 1, &file, 4);
    memcpy(head + 5, &offset, 8);
    memcpy(head + 13, &length, 4);
    syscall(SYS_write, notes, head, sizeof head);
    if (length) syscall(SYS_write, notes, bytes, (size_t)length);
    pthread_mutex_unlock(&turn);
}

static int is_watched(int file) { return file >= 0 && file < FILES && watched[file]; }

static int opened(int file, const char *path) {
    const char *folder = getenv("LOSS_FOLDER");
    if (file >= 0 && file < FILES) {
        watched[file] = folder && getenv("LOSS_LOG") && !strncmp(path, folder, strlen(folder));
        if (watched[file]) note('O', file, 0, path, (int32_t)strlen(path));
    }
    return file;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                             \
    int name(const char *path, int flags, ...) {               \
        va_list more;                                          \
        va_start(more, flags);                                 \
        mode_t mode = va_arg(more, mode_t);                    \
        va_end(more);                                          \
        return opened(NEXT(name)(path, flags, mode), path);    \
    }
#define OPEN_AT(name)                                                  \
    int name(int folder, const char *path, int flags, ...) {           \
        va_list more;                                                  \
        va_start(more, flags);                                         \
        mode_t mode = va_arg(more, mode_t);                            \
        va_end(more);                                                  \
        return opened(NEXT(name)(folder, path, flags, mode), path);    \
    }
#define WRITE_AT(name, offset_t)                                                       \
    ssize_t name(int file, const void *bytes, size_t length, offset_t offset) {        \
        ssize_t done = NEXT(name)(file, bytes, length, offset);                        \
        if (done > 0 && is_watched(file)) note('W', file, offset, bytes, (int32_t)done); \
        return done;                                                                   \
    }
#define TRUNCATE(name, offset_t)                              \
    int name(int file, offset_t size) {                       \
        int done = NEXT(name)(file, size);                    \
        if (!done && is_watched(file)) note('T', file, size, 0, 0); \
        return done;                                          \
    }
#define SYNC(name)                                            \
    int name(int file) {                                      \
        int done = NEXT(name)(file);                          \
        if (!done && is_watched(file)) note('S', file, 0, 0, 0); \
        return done;                                          \
    }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
WRITE_AT(pwrite, off_t)
WRITE_AT(pwrite64, off64_t)
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)
SYNC(fsync)
SYNC(fdatasync)

ssize_t write(int file, const void *bytes, size_t length) {
    off_t offset = is_watched(file) ? lseek(file, 0, SEEK_CUR) : 0;
    ssize_t done = NEXT(write)(file, bytes, length);
    if (done > 0 && is_watched(file)) note('W', file, offset, bytes, (int32_t)done);
    return done;
}
