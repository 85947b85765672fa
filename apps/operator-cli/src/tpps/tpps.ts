import {
  addTpp,
  changeTppStatus,
  countGrants,
  listTpps,
  type NewTpp,
  type TppRecord,
  type TppView,
} from '@xs2a/contracts/auth.contract';
import { isOrganizationIdentifier, type PspRole } from '@xs2a/qwac/psp-roles';
import { authorityFiles, saveCertificate } from '@xs2a/qwac/certificate-files';
import { issueTestQwac, sandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { Clock } from '@xs2a/runtime/clock';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askAuth } from '../ask-service.js';
import type { Connections } from '../connections.js';
import { Refusal } from '../command-line/refusal.js';
import { xs2a } from '../command-line/own-name.js';

export const allTpps = async (connections: Connections): Promise<readonly TppView[]> =>
  (await askAuth(connections, listTpps, {})).tpps;

const oneTpp = async (connections: Connections, clientId: string): Promise<TppView> => {
  const found = (await allTpps(connections)).find((tpp) => tpp.clientId === clientId);
  if (found === undefined) throw noTpp(clientId);
  return found;
};
/** A TPP with its grants of PSUs. */
export const tppWithGrants = async (connections: Connections, clientId: string) => {
  const [tpp, { grants }] = await Promise.all([
    oneTpp(connections, clientId),
    askAuth(connections, countGrants, { clientId }),
  ]);
  return { ...tpp, grants };
};
const noTpp = (clientId: string): Refusal =>
  new Refusal(`No TPP has the client id ${clientId}. Run: ${xs2a('tpp list')}`);

interface TppOptions {
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly role: readonly string[];
  readonly authMethod: string;
  readonly organizationIdentifier?: string;
  /** Files. */
  readonly certificate?: string;
  readonly jwks?: string;
}

const fileText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Refusal(`The file ${file} cannot be read.`, 2);
  }
};
const jsonIn = (file: string): unknown => {
  try {
    return JSON.parse(fileText(file));
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`The file ${file} is not JSON.`, 2);
  }
};

/** Registers a TPP; the authorization server validates it. */
export const registerTpp = async (
  connections: Connections,
  options: TppOptions,
): Promise<{ readonly clientId: string; readonly clientSecret?: string }> => {
  const { name, redirectUri, role, authMethod, organizationIdentifier, certificate, jwks } = options;
  const body: Record<keyof NewTpp | 'certificate', unknown> = {
    name,
    redirectUris: redirectUri,
    roles: role,
    organizationIdentifier,
    certificate: certificate === undefined ? undefined : fileText(certificate),
    jwks: jwks === undefined ? undefined : jsonIn(jwks),
    tokenEndpointAuthMethod: authMethod,
  };
  return askAuth(connections, addTpp, { body });
};

export const setStatus = async (
  connections: Connections,
  clientId: string,
  status: TppRecord['status'],
): Promise<TppView> => {
  await oneTpp(connections, clientId);
  return askAuth(connections, changeTppStatus, { clientId, status });
};

interface CertificateOptions {
  readonly roles: readonly PspRole[];
  readonly organizationIdentifier: string;
  readonly days: number;
}
/** Files. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly privateKey: string;
  readonly authority: string;
}

/**
 * Creates a QWAC from the sandbox's test authority, valid by the sandbox clock. Throws {@link Refusal} outside the
 * sandbox.
 */
export const makeCertificate = async (
  connections: Connections,
  name: string,
  options: CertificateOptions,
): Promise<CertificateFiles> => {
  const dataDir = connections.sandboxDataDir;
  if (dataDir === undefined)
    throw new Refusal('Test certificates are for the sandbox only. A bank accepts QWACs.');
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new Refusal('A name may contain only letters, digits, dots and dashes.', 2);
  if (!isOrganizationIdentifier(options.organizationIdentifier))
    throw new Refusal('An organizationIdentifier must have the form PSDBG-BNB-12345.', 2);
  const ofAuthority = authorityFiles(dataDir);
  const authority = sandboxAuthority(ofAuthority, new Clock(false).nowMs());
  const files = {
    certificate: join(dataDir, `certificates/${name}.crt`),
    privateKey: join(dataDir, `certificates/${name}.key`),
  };
  saveCertificate(files, issueTestQwac({ name, ...options }, authority, await connections.nowMs()));
  return { ...files, authority: ofAuthority.certificate };
};
