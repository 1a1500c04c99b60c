/** The parts of the page, each loaded when somebody opens it. */
import type { ComponentType } from 'preact'
import type { ViewName } from '../contracts/page-config.js'
import type { IconName } from './components/icon-names.js'

/** What a part shows. */
export interface View {
  /** The list in the sidebar; undefined for a part that has none. */
  readonly Sidebar?: ComponentType
  readonly Main: ComponentType
}

export interface ViewEntry {
  readonly title: string
  readonly icon: IconName
  readonly load: () => Promise<View>
}

export const views: Readonly<Record<ViewName, ViewEntry>> = {
  data: { title: 'Data', icon: 'database', load: async () => (await import('./data/data-view.js')).dataView },
  api: { title: 'API', icon: 'braces', load: async () => (await import('./operations/api-view.js')).apiView },
  models: { title: 'Models', icon: 'workflow', load: async () => (await import('./models/models-view.js')).modelsView },
  rights: { title: 'Rights', icon: 'shield-check', load: async () => (await import('./rights/rights-view.js')).rightsView },
  activity: { title: 'Activity', icon: 'activity', load: async () => (await import('./activity/activity-view.js')).activityView }
}
