# Builds SOURCE as C and as C++ into OUT, with the variables V_* of FRAGMENT. V is
# GASNET or GASNETTOOLS.
include $(FRAGMENT)

MANUAL_CFLAGS = -std=c11 $(WARNINGS)
MANUAL_CXXFLAGS = -std=c++17 $(WARNINGS)
MANUAL_DEFINES = -DADDED_BY_CLIENT=1
MANUAL_LDFLAGS = -rdynamic
MANUAL_LIBS = -ldl
WARNINGS = -Wall -Wextra -Wpedantic -Werror

# Users of the tools have one set of preprocessor flags.
V_CXXCPPFLAGS = $(if $(filter GASNET,$(V)),GASNET_CXXCPPFLAGS,$(V)_CPPFLAGS)

all: $(OUT)/c $(OUT)/cc

$(OUT):
	mkdir -p $@

$(OUT)/c.o: $(SOURCE) | $(OUT)
	$($(V)_CC) $($(V)_CPPFLAGS) $($(V)_CFLAGS) -c -o $@ $<

$(OUT)/cc.o: $(SOURCE) | $(OUT)
	$($(V)_CXX) $($(V_CXXCPPFLAGS)) $($(V)_CXXFLAGS) -x c++ -c -o $@ $<

# The fragment's linker links both, in either language.
$(OUT)/c $(OUT)/cc: %: %.o
	$($(V)_LD) $($(V)_LDFLAGS) -o $@ $^ $($(V)_LIBS)
