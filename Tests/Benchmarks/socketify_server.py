"""The reference for broadcasts: socketify (uWebSockets), which sends each text to all sockets."""

import os

from socketify import App, CompressOptions, OpCode

app = App()


def message(socket, text, opcode):
    # Unlike uWebSockets' own, this publish() reaches the sender too.
    socket.publish("room", text, opcode)


app.ws(
    "/broadcast",
    {
        "compression": CompressOptions.DISABLED,
        "max_payload_length": 1 << 20,
        "max_backpressure": 64 << 20,
        "idle_timeout": 60,
        "open": lambda socket: socket.subscribe("room"),
        "message": message,
    },
)
app.listen({"port": int(os.environ["PORT"]), "host": "127.0.0.1"}, lambda config: print("listens", flush=True))
app.run()
