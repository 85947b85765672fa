import { TlsProxy } from '@xs2a/test-support/tls-proxy';
import { readFileSync } from 'node:fs';

// Terminates TLS in front of the gateway, in a separate process, if the machine has no nginx.
const setting = (name: string): string => process.env[name] ?? '';
const proxy = await TlsProxy.start({
  gateway: `http://127.0.0.1:${setting('GATEWAY_PORT')}`,
  secret: setting('PROXY_SECRET'),
  identity: {
    certificate: readFileSync(setting('CERTIFICATE_FILE'), 'utf8'),
    privateKey: readFileSync(setting('KEY_FILE'), 'utf8'),
  },
  authority: '',
});
process.send?.({ ready: true, port: proxy.port });
process.on('disconnect', () => process.exit(0));
