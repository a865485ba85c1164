/** The store's file is gone: this handle will never work again, but a new one may. */
export class LostStore extends Error {}
