import type { FastifyInstance } from 'fastify'

export function makeHistoryApp (
  url: string | undefined, migrate?: 'update' | 'none'
): Promise<{ app: FastifyInstance, forget (): Promise<void> }>
export function skewClock (milliseconds: number): void
