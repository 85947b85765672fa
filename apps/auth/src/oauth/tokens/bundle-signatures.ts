import {
  bundleFormat,
  bundleKeyPurpose,
  bundleSignatureType,
  type BundleStatement,
} from '@xs2a/contracts/dispute-bundle.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Clock } from '@xs2a/runtime/clock';
import { ConfigError } from '@xs2a/runtime/config';
import { CompactSign, importJWK, type JWK } from 'jose';
import { publicKeys, type SigningKeys } from './signing-keys.js';

/** Keys that sign only dispute bundles. They are in a file of their own, and no token is signed with them. */
export abstract class BundleKeys implements SigningKeys {
  abstract readonly keys: JWK[];
}

type Asked = Pick<BundleStatement, 'paymentId' | 'contentSha256'>;

/** Signs the statements about dispute bundles. */
export abstract class BundleSigner {
  abstract sign(asked: Asked): Promise<{ readonly signature: string }>;
}

const isSame = (one: JWK, other: JWK): boolean => one.kid === other.kid || one.x === other.x;

/** Throws ConfigError if a key signs bundles as well as tokens and notifications. */
export const mustBeSeparate = (bundleKeys: SigningKeys, tokenKeys: SigningKeys): void => {
  if (bundleKeys.keys.some((one) => tokenKeys.keys.some((other) => isSame(one, other))))
    throw new ConfigError(['BUNDLE_KEYS_FILE and AUTH_KEYS_FILE must not contain the same key or kid']);
};

/** The public parts as published: `purpose` distinguishes them from the keys of tokens and notifications. */
export const publicBundleKeys = (keys: SigningKeys): JWK[] =>
  publicKeys(keys).map((key) => ({ ...key, purpose: bundleKeyPurpose }));

/** Signs statements with the first key. Throws CallFailed (fieldMalformed) for anything that is no statement. */
export const bundleSigner = async (
  { keys }: SigningKeys,
  clock: Pick<Clock, 'now'>,
  issuer: string,
): Promise<BundleSigner> => {
  const [jwk] = keys;
  if (jwk?.kid === undefined) throw new Error('no key for dispute bundles exists');
  const { kid } = jwk;
  const key = await importJWK(jwk, 'ES256');
  return {
    sign: async ({ paymentId, contentSha256 }) => {
      if (!isUuid(paymentId)) throw callFailed('fieldMalformed', 'paymentId', 'Send a UUID in lower case.');
      if (typeof contentSha256 !== 'string' || !/^[\w-]{43}$/.test(contentSha256))
        throw callFailed('fieldMalformed', 'contentSha256', 'Send a SHA-256 in base64url.');
      const statement: BundleStatement = {
        format: bundleFormat,
        iss: issuer,
        paymentId,
        exportedAt: clock.now(),
        contentSha256,
      };
      const signature = await new CompactSign(new TextEncoder().encode(JSON.stringify(statement)))
        .setProtectedHeader({ alg: 'ES256', kid, typ: bundleSignatureType })
        .sign(key);
      return { signature };
    },
  };
};
