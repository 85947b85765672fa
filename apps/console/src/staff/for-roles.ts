import { SetMetadata } from '@nestjs/common';
import type { Role } from './roles.js';

export const forRoles = Symbol('forRoles');

/** Opens a page or an action to these roles. A handler without it is closed to everybody. */
export const ForRoles = (...roles: readonly Role[]): MethodDecorator & ClassDecorator =>
  SetMetadata(forRoles, roles);
