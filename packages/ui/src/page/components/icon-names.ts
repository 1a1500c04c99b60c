/** The icons of the page, by their names in Lucide: the build puts these into one sprite. */
export const iconNames = ['search', 'x'] as const

export type IconName = typeof iconNames[number]
