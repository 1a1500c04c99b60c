/** How a text is changed before it is stored. */
export type TextTransform = (text: string) => string
