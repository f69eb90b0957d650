"""What stands before a service at an institution: it ends TLS and passes everything on as it is.

tls.py AUTHORITY: the file into which the certificate of its authority is written.
Says its port; then hears the port of the service; ends with its input.
"""
import asyncio
import ssl
import sys

import trustme


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority = trustme.CA()
    authority.cert_pem.write_to_path(sys.argv[1])
    authority.issue_cert("localhost").configure_cert(context)
    behind = asyncio.get_running_loop().create_future()

    async def meet(reader, writer):
        try:
            theirs, ours = await asyncio.open_connection("127.0.0.1", await behind)
        except OSError:
            return writer.close()
        await asyncio.gather(pump(reader, ours), pump(theirs, writer))

    server = await asyncio.start_server(meet, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    line = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    behind.set_result(int(await line))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
