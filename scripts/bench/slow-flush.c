/* Makes each flush of PostgreSQL's log take FLUSH_MS longer: a library to preload. Other files are flushed by fsync. */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fdatasync(int file) {
  long ms = atol(getenv("FLUSH_MS"));
  struct timespec rest = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
  return syscall(SYS_fdatasync, file);
}
