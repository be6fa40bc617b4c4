// A WebSocket client that is no bottleneck: many sockets in one thread, which count what arrives.
//
//   broadcast_client HOST PORT PATH SOCKETS broadcast WINDOW WARM_SECONDS SECONDS
//     The first socket sends texts of 200 bytes; the server is to send each to all sockets. WINDOW
//     texts are under way at any time. Prints deliveries, seconds, and the milliseconds from a
//     text's sending to a delivery at the 50th and 99th percentile.
//   broadcast_client HOST PORT PATH SOCKETS idle
//     Opens the sockets, prints "open", and holds them until its input ends.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_BYTES = 200, FRAME_BYTES = 8 + TEXT_BYTES, BUFFER_BYTES = 1 << 18, MAX_WINDOW = 4096 };
enum { BUCKETS = 200000 };  // of 10 microseconds each

typedef struct {
    int descriptor;
    uint64_t skip;      // bytes of a frame's text still to come
    uint64_t received;  // texts that have begun to arrive
    size_t held;        // bytes of an incomplete frame header in "head"
    unsigned char head[4];
} Socket;

static Socket *sockets;
static int count, window;
static uint64_t sent_at[MAX_WINDOW], sequence, finished, deliveries;
static int missing[MAX_WINDOW];  // deliveries still to come of each text under way
static uint64_t histogram[BUCKETS];
static int measuring;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int open_socket(const char *host, int port, const char *path) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) fail("address");
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) fail("socket");
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    char head[1024];
    int length = snprintf(head, sizeof head,
        "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        path, host, port);
    if (write(descriptor, head, (size_t)length) != length) fail("write");
    // Byte by byte, so that nothing after the head is taken.
    size_t taken = 0;
    while (taken < 4 || memcmp(head + taken - 4, "\r\n\r\n", 4) != 0) {
        if (taken == sizeof head || read(descriptor, head + taken, 1) != 1) fail("handshake");
        taken++;
    }
    if (strncmp(head, "HTTP/1.1 101", 12) != 0) {
        fprintf(stderr, "handshake refused: %.*s\n", (int)taken, head);
        exit(1);
    }
    return descriptor;
}

// Fills the window with texts, in one write.
static void send_texts(void) {
    static unsigned char frames[MAX_WINDOW * FRAME_BYTES];
    size_t bytes = 0;
    while (sequence - finished < (uint64_t)window) {
        unsigned char *frame = frames + bytes;
        frame[0] = 0x81;
        frame[1] = 0x80 | 126;
        frame[2] = 0;
        frame[3] = TEXT_BYTES;
        const unsigned char mask[4] = {0x12, 0x34, 0x56, 0x78};
        memcpy(frame + 4, mask, 4);
        for (int i = 0; i < TEXT_BYTES; i++) frame[8 + i] = (unsigned char)('a' ^ mask[i & 3]);
        sent_at[sequence % MAX_WINDOW] = now();
        missing[sequence % MAX_WINDOW] = count;
        sequence++;
        bytes += FRAME_BYTES;
    }
    size_t written = 0;
    while (written < bytes) {
        ssize_t result = send(sockets[0].descriptor, frames + written, bytes - written, 0);
        if (result < 0) fail("send");
        written += (size_t)result;
    }
}

static void deliver(Socket *self, uint64_t time) {
    uint64_t text = self->received++;
    deliveries++;
    if (measuring) {
        uint64_t bucket = (time - sent_at[text % MAX_WINDOW]) / 10000;
        histogram[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
    }
    missing[text % MAX_WINDOW]--;
}

// Walks over the frames in what one socket received.
static void take(Socket *self, const unsigned char *bytes, size_t length, uint64_t time) {
    size_t at = 0;
    while (at < length) {
        if (self->skip > 0) {
            size_t part = self->skip < length - at ? (size_t)self->skip : length - at;
            self->skip -= part;
            at += part;
            continue;
        }
        self->head[self->held++] = bytes[at++];
        if (self->held < 4) continue;
        if (self->head[0] != 0x81 || self->head[1] != 126
            || self->head[2] * 256 + self->head[3] != TEXT_BYTES) {
            fprintf(stderr, "unexpected frame %02x %02x\n", self->head[0], self->head[1]);
            exit(1);
        }
        self->held = 0;
        self->skip = TEXT_BYTES;
        deliver(self, time);
    }
}

static double percentile(double share) {
    uint64_t total = 0, seen = 0;
    for (int i = 0; i < BUCKETS; i++) total += histogram[i];
    for (int i = 0; i < BUCKETS; i++) {
        seen += histogram[i];
        if (total > 0 && (double)seen >= share * (double)total) return (i + 0.5) / 100.0;
    }
    return 0;
}

static void run(int warm_seconds, int seconds) {
    static unsigned char buffer[BUFFER_BYTES];
    int set = epoll_create1(0);
    for (int i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &sockets[i]};
        if (epoll_ctl(set, EPOLL_CTL_ADD, sockets[i].descriptor, &event) < 0) fail("epoll_ctl");
    }
    uint64_t start = now() + (uint64_t)warm_seconds * 1000000000u;
    uint64_t end = start + (uint64_t)seconds * 1000000000u, time = now(), began = 0, before = 0;
    send_texts();
    while (time < end) {
        struct epoll_event events[256];
        int ready = epoll_wait(set, events, 256, 5000);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            fprintf(stderr, "nothing arrived for 5 s\n");
            exit(1);
        }
        time = now();
        if (!measuring && time >= start) {
            measuring = 1;
            began = time;
            before = deliveries;
            // The caller reads the server's CPU time from here on.
            puts("measuring");
            fflush(stdout);
        }
        for (int i = 0; i < ready; i++) {
            Socket *self = events[i].data.ptr;
            ssize_t length = recv(self->descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
            if (length == 0 || (length < 0 && errno != EAGAIN)) {
                fprintf(stderr, "the server closed a socket\n");
                exit(1);
            }
            if (length > 0) take(self, buffer, (size_t)length, time);
        }
        while (finished < sequence && missing[finished % MAX_WINDOW] == 0) finished++;
        // In halves, so that the pipe never runs dry and writes stay large.
        if (sequence - finished <= (uint64_t)window / 2) send_texts();
    }
    printf("%llu %.6f %.3f %.3f\n", (unsigned long long)(deliveries - before),
        (double)(time - began) / 1e9, percentile(0.5), percentile(0.99));
}

int main(int argc, char **argv) {
    if (argc != 6 && argc != 9) {
        fprintf(stderr, "usage: HOST PORT PATH SOCKETS broadcast WINDOW WARM SECONDS | idle\n");
        return 2;
    }
    count = atoi(argv[4]);
    sockets = calloc((size_t)count, sizeof *sockets);
    if (sockets == NULL) fail("calloc");
    for (int i = 0; i < count; i++) {
        sockets[i].descriptor = open_socket(argv[1], atoi(argv[2]), argv[3]);
    }
    if (argc == 6) {
        puts("open");
        fflush(stdout);
        while (getchar() != EOF) {}
        return 0;
    }
    window = atoi(argv[6]);
    if (window < 1 || window > MAX_WINDOW / 2) window = 64;
    run(atoi(argv[7]), atoi(argv[8]));
    return 0;
}
