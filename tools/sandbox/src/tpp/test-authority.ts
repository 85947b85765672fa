import type { Issued } from '@xs2a/qwac/issue-certificate';
import { sandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { Clock } from '@xs2a/runtime/clock';
import type { Layout } from '../layout.js';

/** Returns the sandbox's own authority for QWACs, created at the first start and kept with the other secrets. */
export const testAuthority = ({ testAuthority: files }: Pick<Layout, 'testAuthority'>): Issued =>
  sandboxAuthority(files, new Clock(false).nowMs());
