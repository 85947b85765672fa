import { root } from '@xs2a/sandbox/layout';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the addresses of all pages and forms of the console, read from its controllers, for example `GET /payments/:id`. */
export const consoleAddresses = (): readonly string[] => {
  const folder = join(root, 'apps/console/src');
  return globSync('**/*.controller.ts', { cwd: folder }).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const [, prefix] = /@StaffPages\((?:'([^']*)')?\)/.exec(text) ?? [];
    if (!text.includes('@StaffPages(')) return [];
    return [...text.matchAll(/@(Get|Post)\((?:'([^']*)')?\)/g)].map(
      ([, method = '', path]) =>
        `${method.toUpperCase()} /${[prefix, path].filter((part) => part !== undefined && part !== '').join('/')}`,
    );
  });
};

/** Returns true if a path matches an address of the console: a parameter such as `:id` matches any value. */
export const isOf = (address: string, path: string): boolean => {
  const pattern = address.replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '');
};
