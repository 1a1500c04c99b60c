/**
 * `@fastback/health`: whether an application is well. `/health/live` and `/health/ready` for load balancers, `/metrics`
 * for Prometheus, and a graceful shutdown.
 */
export { health, health as default, type HealthService } from './plugin.js'
export type { HealthOptions } from './options.js'
export type { ComponentHealth, Health } from './readiness.js'
