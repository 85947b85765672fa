import { Controller, Get, Header, Redirect } from '@nestjs/common';
import { pagePolicy } from './page-policy.js';

/** `/docs` of a gateway with a developer portal (contract 1). */
@Controller()
export class ToReferenceController {
  /** Redirects to the reference. */
  @Get('docs')
  @Redirect('/reference', 302)
  docs(): void {}
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>XS2A interface</title><main><h1>XS2A interface</h1>
<p>The interface is described for programs by <a href="/openapi.json">openapi.json</a> (OpenAPI 3.0), which any viewer of OpenAPI documents can show.</p>
<p>This bank publishes no documentation for people here. Ask it where its developer portal is.</p></main></html>`;

/** `/` and `/docs` of a gateway without a developer portal (contract 1). */
@Controller()
export class WithoutPortalController {
  /** Redirects to the page that names the API description. */
  @Get()
  @Redirect('/docs', 302)
  index(): void {}

  /** A plain page that links the API description. */
  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', pagePolicy['content-security-policy'])
  @Header('x-frame-options', pagePolicy['x-frame-options'])
  @Header('referrer-policy', pagePolicy['referrer-policy'])
  docs(): string {
    return page;
  }
}
