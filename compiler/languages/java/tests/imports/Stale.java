/** Loads a package that was made for another one than the one there is. */
public final class Stale {
    public static void main(String[] args) {
        new com.acme.shop.Item();
        System.out.println("loaded");
    }
}
