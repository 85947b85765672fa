import { createHash } from 'node:crypto';

/** Shows the API description with Swagger UI. A call carries the access token that the user enters. */
export const explorerScript = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
(async () => {
  const response = await fetch('/openapi.json');
  const spec = await response.json();
  spec.components.securitySchemes = { token: { type: 'http', scheme: 'bearer' } };
  for (const path of Object.values(spec.paths))
    for (const operation of Object.values(path))
      if (operation.security && operation.security.length > 0) operation.security = [{ token: [] }];
  SwaggerUIBundle({
    spec,
    dom_id: '#explorer',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
})();
`;
export const explorerScriptHash = createHash('sha256').update(explorerScript).digest('hex').slice(0, 12);
