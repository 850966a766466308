import aldis.CodecException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** The methods of generated codecs, to which tests have no other door: they are the package's own. */
final class Codecs {
    private Codecs() {}

    static Class<?> of(Object value) {
        try {
            return Class.forName(value.getClass().getName() + "Codec");
        } catch (ClassNotFoundException missing) {
            throw new AssertionError(missing);
        }
    }

    static Object run(Class<?> codec, String own, Object... args) {
        for (Method method : codec.getDeclaredMethods()) {
            if (!method.getName().equals(own)) continue;
            method.setAccessible(true);
            return run(method, args);
        }
        throw new AssertionError(codec.getName() + " has no " + own);
    }

    static Object run(Method method, Object... args) {
        try {
            return method.invoke(null, args);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof CodecException fault) throw fault;
            throw new AssertionError(thrown.getCause());
        } catch (IllegalAccessException closed) {
            throw new AssertionError(closed);
        }
    }
}
