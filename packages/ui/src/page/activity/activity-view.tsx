import { Empty } from '../components/empty.js'
import type { View } from '../views.js'

export const activityView: View = { Main: () => <Empty icon="box" title="Nothing here yet"/> }
