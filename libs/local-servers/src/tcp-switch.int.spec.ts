// Lane: long (it takes half a minute).
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TcpSwitch } from './tcp-switch.js';

describe('a link whose host vanishes', () => {
  let server: Server;
  let link: TcpSwitch;
  const accepted: Socket[] = [];
  const heard: string[] = [];
  beforeEach(async () => {
    server = createServer((socket) => {
      accepted.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => heard.push(data.toString()));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    link = await TcpSwitch.start(() => (server.address() as AddressInfo).port);
  });
  afterEach(async () => {
    await link.stop();
    for (const socket of accepted.splice(0)) socket.destroy();
    heard.length = 0;
    server.close();
  });
  const client = async (): Promise<[Socket, Socket]> => {
    const socket = connect(link.port, '127.0.0.1');
    const [at] = (await once(server, 'connection')) as [Socket];
    return [socket, at];
  };

  it('carries neither data nor connection closes in either direction, and accepts new connections', async () => {
    const [held, heldAt] = await client();
    held.write('before');
    await once(heldAt, 'data');
    const release = link.hold();
    held.write('after');
    held.destroy();
    const [next, nextAt] = await client();
    next.write('anew');
    await once(nextAt, 'data');
    // The message on the frozen connection was sent first, so it would have arrived by now.
    expect(heard).toEqual(['before', 'anew']);
    expect([heldAt.readableEnded, heldAt.destroyed]).toEqual([false, false]);
    release();
    await once(heldAt, 'close');
    next.destroy();
    await once(nextAt, 'close');
  });
});
