// Linux calls that Glibc's module does not export to Swift.
#pragma once
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// accept4 with non-blocking and close-on-exec; -1 and errno on failure.
int linux_accept(int listener, struct sockaddr_storage *address, socklen_t *length);

/// Adds (EPOLL_CTL_ADD), changes or removes a descriptor; `data` comes back with each event.
int linux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t data);

/// The data word of one event; epoll_event is packed on x86-64, which Swift cannot import reliably.
uint64_t linux_epoll_data(const struct epoll_event *event);

/// Number of CPUs this process may run on, at least 1.
int linux_available_cpus(void);

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t linux_monotonic_nanoseconds(void);

/// Nanoseconds since 1970 of CLOCK_REALTIME.
int64_t linux_realtime_nanoseconds(void);

/// One pointer a thread, for the loop that runs on it; NULL elsewhere. A compiler-known thread-local, so a load.
void *linux_thread_context(void);
void linux_set_thread_context(void *context);

/// Blocks SIGTERM and SIGINT for the process's threads started later, ignores SIGPIPE, and returns a non-blocking
/// descriptor that becomes readable when one of the two arrives; -1 on failure. Call before any thread starts.
int linux_termination_descriptor(void);

/// Reads the signal that arrived, 0 when none did.
int linux_read_signal(int descriptor);

/// Resident memory of this process in bytes, 0 when unknown.
long linux_resident_bytes(void);
