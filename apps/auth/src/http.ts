import type { FastifyInstance } from 'fastify';
import { plainPage } from './sca/end-pages.js';
import { chooseLanguage } from './sca/language.js';
import { pageHeaders } from './sca/page.js';

/** Pages take HTML forms and nothing else; what Fastify refuses by itself is a page too. */
export const prepareHttp = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  fastify.setErrorHandler((error, request, reply) => {
    const code: unknown = Reflect.get(Object(error), 'statusCode');
    const status = typeof code === 'number' && code >= 400 && code < 500 ? code : 500;
    const language = chooseLanguage({ accept: request.headers['accept-language'] });
    return reply
      .headers({ ...pageHeaders() })
      .code(status)
      .send(plainPage(language, status === 500 ? 'unavailable' : 'forbidden').text);
  });
};
