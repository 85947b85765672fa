import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type EndpointId, endpointRules, listRoutes } from './endpoint-rules.js';

/**
 * Marks the controller method of an endpoint in `endpoint-rules.ts`: sets its routes and its status code, and
 * applies the checks.
 */
export const Endpoint = (id: EndpointId): MethodDecorator => {
  const rule = endpointRules[id];
  return applyDecorators(
    RequestMapping({ path: listRoutes(rule), method: RequestMethod[rule.method] }),
    HttpCode(rule.success),
    RouteConfig({ endpoint: id }),
  );
};
