import { describe, expect, it } from '@jest/globals';
import { certificateForms, certificateIn } from '@xs2a/qwac/certificate-header';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '@xs2a/sandbox/layout';
import { findObject, readComponent, readObjects, readSettings } from './component-files.js';

const edges = ['gateway-api', 'ingress-nginx'];
const clientTraffic = (name: string) =>
  findObject('gateway-api/client-traffic.yaml', 'ClientTrafficPolicy', name).spec;
const ingress = (name: string) =>
  findObject('ingress-nginx/ingress.yaml', 'Ingress', name) as unknown as {
    readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
    readonly spec: {
      readonly rules: readonly { readonly http: { readonly paths: readonly { readonly path: string }[] } }[];
    };
  };
const annotation = (name: string, key: string): string | undefined =>
  ingress(name).metadata.annotations[`nginx.ingress.kubernetes.io/${key}`];

describe('the edge in Kubernetes (docs/adr/0011)', () => {
  it.each(edges)('%s: the gateway has the setting for the header and format of the certificate', (edge) => {
    const settings = readSettings(edge);
    expect(Object.keys(settings).toSorted()).toEqual([
      'CLIENT_CERTIFICATE_FORM',
      'CLIENT_CERTIFICATE_HEADER',
    ]);
    expect(certificateForms).toContain(settings['CLIENT_CERTIFICATE_FORM']);
  });

  it('gateway-api: Envoy sets the certificate header, replacing any sent by the client', () => {
    expect(clientTraffic('xs2a-api')['headers']).toMatchObject({
      xForwardedClientCert: { mode: 'SanitizeSet', certDetailsToAdd: ['Cert'] },
    });
    expect(readSettings('gateway-api')['CLIENT_CERTIFICATE_FORM']).toBe('xfcc');
    const der = Buffer.from('a certificate');
    const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
    const written = `Hash=${'0'.repeat(64)};Cert="${encodeURIComponent(pem)}"`;
    expect(certificateIn(written, 'xfcc')).toEqual(der);
  });

  it('gateway-api: a request answered with 503 is not retried, because it may have succeeded (contract 2)', () => {
    const { spec } = findObject('gateway-api/backend-traffic.yaml', 'BackendTrafficPolicy');
    expect(spec['retry']).toMatchObject({ retryOn: { triggers: ['connect-failure'] } });
    expect(spec['targetRefs']).toEqual([
      { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'xs2a' },
    ]);
  });

  it('gateway-api: Envoy closes an idle connection before the gateway does', () => {
    const { spec } = findObject('gateway-api/backend-traffic.yaml', 'BackendTrafficPolicy');
    const [, kept = ''] =
      /keepAliveTimeout: ([\d_]+)/.exec(
        readFileSync(join(root, 'apps/gateway/src/edge/edge-adapter.ts'), 'utf8'),
      ) ?? [];
    const idle = String(spec['timeout']?.['http']?.['connectionIdleTimeout']);
    expect(Number(idle.replace(/s$/, '')) * 1000).toBeLessThan(Number(kept.replaceAll('_', '')));
  });

  it.each(edges)(
    '%s: no request id is generated, because a repeated id marks a retry (contract 2)',
    (edge) => {
      const { controller } = parse(readComponent('ingress-nginx/values.yaml')) as {
        readonly controller: { readonly config: Readonly<Record<string, string>> };
      };
      const isKept = {
        'gateway-api': ['xs2a-api', 'xs2a-pages'].every(
          (name) => String(clientTraffic(name)['headers']?.['requestID']) === 'Preserve',
        ),
        'ingress-nginx': controller.config['generate-request-id'] === 'false',
      }[edge];
      expect(isKept).toBe(true);
    },
  );

  it('requests a certificate from TPPs and checks it for revocation, but requests none from visitors of the pages (contract 1)', () => {
    expect(clientTraffic('xs2a-api')['tls']?.['clientValidation']).toMatchObject({
      optional: true,
      crl: { refs: [{ name: 'xs2a-tpp-authorities' }] },
    });
    expect(clientTraffic('xs2a-pages')['tls']).toEqual({ minVersion: '1.2' });
    expect(annotation('xs2a-api', 'auth-tls-verify-client')).toBe('optional_no_ca');
    expect(annotation('xs2a-api', 'auth-tls-pass-certificate-to-upstream')).toBe('true');
    expect(annotation('xs2a-pages', 'auth-tls-verify-client')).toBeUndefined();
  });

  it('serves only pages and the authorization endpoint, and no API, on the host without certificates', () => {
    const pages = ['/sca', '/oauth2/authorize'];
    const paths = ingress('xs2a-pages').spec.rules.flatMap(({ http }) => http.paths.map(({ path }) => path));
    expect(paths).toEqual(pages);
    const { spec } = findObject('gateway-api/routes.yaml', 'HTTPRoute', 'xs2a-pages');
    expect(spec['rules']).toMatchObject([
      { matches: pages.map((value) => ({ path: { type: 'PathPrefix', value } })) },
    ]);
  });

  it('sends the proxy secret with every request, taking it from a Kubernetes secret and not from a manifest', () => {
    const routes = readObjects('gateway-api/routes.yaml').filter(({ kind }) => kind === 'HTTPRoute');
    expect(routes).toHaveLength(2);
    for (const { spec } of routes)
      expect(spec['rules']).toMatchObject([
        { filters: [{ extensionRef: { kind: 'HTTPRouteFilter', name: 'xs2a-proxy-secret' } }] },
      ]);
    expect(findObject('gateway-api/routes.yaml', 'HTTPRouteFilter').spec['credentialInjection']).toEqual({
      header: 'X-Proxy-Secret',
      overwrite: true,
      credential: { valueRef: { name: 'xs2a-edge' } },
    });
    expect(readComponent('ingress-nginx/values.yaml')).toContain('include /etc/xs2a-edge/proxy-secret.conf;');
  });
});
